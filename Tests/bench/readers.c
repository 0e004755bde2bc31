/* usage: readers ADDRESS CLIENTS GROUPS EACH ONE
 * Runs CLIENTS clients of ADDRESS (a Unix socket's path, or a TCP port of 127.0.0.1) in one process that only reads.
 * Each client sends the line EACH; one client in each of GROUPS groups then sends ONE. A %d in either is the group's
 * number. For each line on standard input, it prints the numbers of lines and bytes so far, and of clients that got
 * any. Ends with its standard input. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sockets.h"

static void ask(int socket, const char *line, int group) {
    char text[1024];
    int size = snprintf(text, sizeof text - 1, line, group);
    text[size] = '\n';
    if (*line && send(socket, text, size + 1, MSG_NOSIGNAL) != size + 1) fail("send");
}

int main(int count, char **words) {
    if (count != 6) { fprintf(stderr, "usage: readers ADDRESS CLIENTS GROUPS EACH ONE\n"); return 2; }
    int clients = atoi(words[2]), groups = atoi(words[3]);
    struct rlimit files = {clients + 64, clients + 64};
    if (setrlimit(RLIMIT_NOFILE, &files) < 0) fail("setrlimit");
    int set = epoll_create1(0);
    char *heard = calloc(clients + 1, 1);
    for (int i = 0; i < clients; i++) {
        int s = stream_socket(words[1], connect);
        ask(s, words[4], i % groups);
        if (i < groups) ask(s, words[5], i);
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = (unsigned long)s << 32 | (unsigned)i};
        epoll_ctl(set, EPOLL_CTL_ADD, s, &event);
    }
    struct epoll_event input = {.events = EPOLLIN, .data.u64 = (unsigned)clients};
    epoll_ctl(set, EPOLL_CTL_ADD, 0, &input);
    long lines = 0, bytes = 0, answering = 0;
    static struct epoll_event ready[1024];
    static char buffer[65536];
    for (;;) {
        int some = epoll_wait(set, ready, 1024, -1);
        if (some < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < some; i++) {
            unsigned client = (unsigned)ready[i].data.u64;
            int s = ready[i].data.u64 >> 32;
            ssize_t size = read(s, buffer, sizeof buffer);
            if (client == (unsigned)clients) {
                if (size <= 0) return 0;
                printf("%ld %ld %ld\n", lines, bytes, answering);
                fflush(stdout);
                continue;
            }
            if (size <= 0) { fprintf(stderr, "readers: client %u was hung up on\n", client); return 1; }
            bytes += size;
            for (char *c = buffer; (c = memchr(c, '\n', buffer + size - c)); c++) lines++;
            if (!heard[client]) { heard[client] = 1; answering++; }
        }
    }
}
