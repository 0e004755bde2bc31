#ifndef CEXPAT_SHIM_H
#define CEXPAT_SHIM_H
#include <expat.h>

/* The line that the parser is in, from 1. Newer expats would have another function called, which older ones lack. */
static inline unsigned long long cexpat_line_number(XML_Parser parser) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return XML_GetCurrentLineNumber(parser);
#pragma GCC diagnostic pop
}
#endif
