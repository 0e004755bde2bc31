#ifndef CGPS_H
#define CGPS_H
#endif
