// What Linux has and the toolchain's Glibc module leaves out, since that is compiled without _GNU_SOURCE: a header
// that the module has read already can't be read again with it, so those functions are declared here, as their
// manual pages have them.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/pidfd.h>
#include <sys/random.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <wchar.h>

// accept4(2): needs _GNU_SOURCE.
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

// SO_PEERCRED's struct ucred (unix(7)): needs _GNU_SOURCE.
struct clinux_peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

// posix_openpt(3), grantpt(3), unlockpt(3), ptsname_r(3): need _XOPEN_SOURCE or _GNU_SOURCE.
extern int posix_openpt(int flags);
extern int grantpt(int fd);
extern int unlockpt(int fd);
extern int ptsname_r(int fd, char *buffer, size_t length);

// pipe2(2), wcwidth(3): need _GNU_SOURCE, _XOPEN_SOURCE.
extern int pipe2(int descriptors[2], int flags);
extern int wcwidth(wchar_t character);

// environ(7): a C variable, which Swift 6 takes for shared mutable state. It is read once, when a child is started.
extern char **environ;
static inline char **clinux_environment(void) { return environ; }

#endif
