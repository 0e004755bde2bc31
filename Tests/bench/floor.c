/* usage: floor tick SOCKET RATE FILE
 *        floor relay SOCKET PORT
 * Does the minimum for the clients of SOCKET: one send to each, and nothing else. `tick` sends the bytes of FILE, RATE
 * times a second. `relay` sends the bytes from PORT as soon as they arrive, to measure the lowest latency. Runs until
 * it is killed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "sockets.h"

#define MOST_CLIENTS 8192
#define LONGEST_FRAME 4096

static int clients[MOST_CLIENTS], connected;

static void send_to_each(int listener, const char *bytes, size_t size) {
    for (int client; connected < MOST_CLIENTS && (client = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;)
        clients[connected++] = client;
    for (int i = 0; i < connected; i++)
        if (send(clients[i], bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EAGAIN) {
            close(clients[i]);
            clients[i--] = clients[--connected];
        }
}

static void tick(int listener, double rate, const char *path) {
    static char frame[LONGEST_FRAME];
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(frame, 1, sizeof frame, file) : 0;
    if (size == 0) fail(path);
    long step = (long)(1e9 / rate);
    struct timespec tick;
    clock_gettime(CLOCK_MONOTONIC, &tick);
    for (;;) {
        send_to_each(listener, frame, size);
        tick.tv_nsec += step;
        if (tick.tv_nsec >= 1000000000) { tick.tv_nsec -= 1000000000; tick.tv_sec++; }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &tick, NULL);
    }
}

static void relay(int listener, const char *port) {
    int source = stream_socket(port, connect);
    static char bytes[LONGEST_FRAME];
    for (ssize_t size; (size = read(source, bytes, sizeof bytes)) > 0;) send_to_each(listener, bytes, size);
}

int main(int count, char **words) {
    int ticks = count == 5 && !strcmp(words[1], "tick") && atof(words[3]) > 0;
    if (!ticks && (count != 4 || strcmp(words[1], "relay"))) {
        fprintf(stderr, "usage: floor tick SOCKET RATE FILE | floor relay SOCKET PORT\n");
        return 2;
    }
    struct rlimit files = {MOST_CLIENTS + 64, MOST_CLIENTS + 64};
    setrlimit(RLIMIT_NOFILE, &files);
    int listener = stream_socket(words[2], bind);
    if (listen(listener, 4096) < 0 || fcntl(listener, F_SETFL, O_NONBLOCK) < 0) fail(words[2]);
    if (ticks) tick(listener, atof(words[3]), words[4]);
    relay(listener, words[3]);
    return 0;
}
