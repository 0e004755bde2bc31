/* Loaded before puckd's own libraries, it makes the kernel look like one before 6.16, which does not know SO_PASSRIGHTS: so
 * descriptors can be handed over, and puckd has to see to them by itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>

/* asm-generic/socket.h */
enum { PASS_RIGHTS = 83 };

int setsockopt(int fd, int level, int option, const void *value, socklen_t length) {
    static int (*next)(int, int, int, const void *, socklen_t);
    if (level == SOL_SOCKET && option == PASS_RIGHTS) {
        errno = ENOPROTOOPT;
        return -1;
    }
    if (!next) next = (int (*)(int, int, int, const void *, socklen_t))dlsym(RTLD_NEXT, "setsockopt");
    return next(fd, level, option, value, length);
}

int getsockopt(int fd, int level, int option, void *value, socklen_t *length) {
    static int (*next)(int, int, int, void *, socklen_t *);
    if (level == SOL_SOCKET && option == PASS_RIGHTS) {
        errno = ENOPROTOOPT;
        return -1;
    }
    if (!next) next = (int (*)(int, int, int, void *, socklen_t *))dlsym(RTLD_NEXT, "getsockopt");
    return next(fd, level, option, value, length);
}
