/* usage: floor SOCKET RATE FILE
 * What fan-out costs at the least: RATE times a second, one send of the bytes of FILE to each client of SOCKET, and
 * nothing else. Runs until it is ended. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define MOST_CLIENTS 8192
#define LONGEST_FRAME 4096

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int listening(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) { fprintf(stderr, "floor: %s is too long a path\n", path); exit(2); }
    strcpy(address.sun_path, path);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (s < 0 || bind(s, (struct sockaddr *)&address, sizeof address) < 0 || listen(s, 4096) < 0) fail(path);
    return s;
}

int main(int count, char **words) {
    if (count != 4 || atof(words[2]) <= 0) { fprintf(stderr, "usage: floor SOCKET RATE FILE\n"); return 2; }
    struct rlimit files = {MOST_CLIENTS + 64, MOST_CLIENTS + 64};
    setrlimit(RLIMIT_NOFILE, &files);
    static char frame[LONGEST_FRAME];
    FILE *file = fopen(words[3], "r");
    size_t size = file ? fread(frame, 1, sizeof frame, file) : 0;
    if (size == 0) fail(words[3]);
    int socket = listening(words[1]);
    static int clients[MOST_CLIENTS];
    int connected = 0;
    long step = (long)(1e9 / atof(words[2]));
    struct timespec tick;
    clock_gettime(CLOCK_MONOTONIC, &tick);
    for (;;) {
        for (int client; connected < MOST_CLIENTS && (client = accept4(socket, NULL, NULL, SOCK_NONBLOCK)) >= 0;)
            clients[connected++] = client;
        for (int i = 0; i < connected; i++)
            if (send(clients[i], frame, size, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EAGAIN) {
                close(clients[i]);
                clients[i--] = clients[--connected];
            }
        tick.tv_nsec += step;
        if (tick.tv_nsec >= 1000000000) { tick.tv_nsec -= 1000000000; tick.tv_sec++; }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &tick, NULL);
    }
}
