// libm, and nothing else of the C library: so that the pure code can take a sine without being able to
// read a clock, a file or a socket (which `import Glibc` would hand it along with sin()).
#ifndef CLIBM_H
#define CLIBM_H

static inline double clibm_sin(double x) { return __builtin_sin(x); }
static inline double clibm_cos(double x) { return __builtin_cos(x); }
static inline double clibm_tan(double x) { return __builtin_tan(x); }
static inline double clibm_asin(double x) { return __builtin_asin(x); }
static inline double clibm_acos(double x) { return __builtin_acos(x); }
static inline double clibm_atan(double x) { return __builtin_atan(x); }
static inline double clibm_atan2(double y, double x) { return __builtin_atan2(y, x); }
static inline double clibm_sinh(double x) { return __builtin_sinh(x); }
static inline double clibm_cosh(double x) { return __builtin_cosh(x); }
static inline double clibm_tanh(double x) { return __builtin_tanh(x); }
static inline double clibm_asinh(double x) { return __builtin_asinh(x); }
static inline double clibm_exp(double x) { return __builtin_exp(x); }
static inline double clibm_exp2(double x) { return __builtin_exp2(x); }
static inline double clibm_log(double x) { return __builtin_log(x); }
static inline double clibm_log2(double x) { return __builtin_log2(x); }
static inline double clibm_pow(double x, double y) { return __builtin_pow(x, y); }
static inline double clibm_hypot(double x, double y) { return __builtin_hypot(x, y); }

#endif
