/* Stream sockets on this machine, for the benchmark programs. Any failure ends the program. */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* A socket on a path or on a port of 127.0.0.1, after `use`, which is bind(2) or connect(2). */
static int stream_socket(const char *address, int (*use)(int, const struct sockaddr *, socklen_t)) {
    int is_path = address[0] == '/', on = 1;
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    struct sockaddr_in internet = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (is_path && strlen(address) >= sizeof local.sun_path) { fprintf(stderr, "%s is too long a path\n", address); exit(2); }
    if (is_path) strcpy(local.sun_path, address);
    else internet.sin_port = htons(atoi(address));
    int s = socket(is_path ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
    if (s < 0) fail("socket");
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (use(s, is_path ? (void *)&local : (void *)&internet, is_path ? sizeof local : sizeof internet) < 0) fail(address);
    return s;
}
