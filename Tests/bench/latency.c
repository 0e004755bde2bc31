/* usage: latency puckd SOCKET PORT CLIENTS COUNT      (says "listening" once PORT is, and waits for puckd to connect)
 *        latency gpsd PORT CLIENTS COUNT              (says the terminal's path, and waits for a line on standard input)
 * One process is both ends: what comes before the daemon (gpsd's bytes on PORT; or a receiver's, on a terminal), and its
 * clients. It sends one epoch every tenth of a second, COUNT times, and prints, for each epoch and client, the
 * microseconds from just before it is written to when the client's line could be read. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define PERIOD 0.1
#define MOST_CLIENTS 1024

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static struct sockaddr_in loopback(int port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int source, is_gpsd;

static void put(const char *text) {
    if (write(source, text, strlen(text)) != (ssize_t)strlen(text)) fail("write");
}

/* The source at its start: whoever connects is greeted as gpsd does. */
static void accept_puckd(int port) {
    struct sockaddr_in address = loopback(port);
    int s = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(s, (struct sockaddr *)&address, sizeof address) < 0 || listen(s, 1) < 0) fail("listen");
    printf("listening\n");
    fflush(stdout);
    if ((source = accept(s, NULL, NULL)) < 0) fail("accept");
    put("{\"class\":\"VERSION\",\"release\":\"3.25\",\"rev\":\"3.25\",\"proto_major\":3,\"proto_minor\":15}\r\n"
        "{\"class\":\"DEVICES\",\"devices\":[{\"class\":\"DEVICE\",\"path\":\"/dev/ttyX\",\"driver\":\"NMEA0183\","
        "\"activated\":\"2026-06-01T12:00:00.000Z\"}]}\r\n{\"class\":\"WATCH\",\"enable\":true,\"json\":true}\r\n");
}

static void open_terminal(void) {
    int terminal;
    char path[128];
    if (openpty(&source, &terminal, path, NULL, NULL) < 0) fail("openpty");
    struct termios mode;
    tcgetattr(terminal, &mode);
    cfmakeraw(&mode);
    tcsetattr(terminal, TCSANOW, &mode);
    printf("%s\n", path);
    fflush(stdout);
    char line[8];
    if (!fgets(line, sizeof line, stdin)) exit(1);
}

static void sentence(char *text, const char *body) {
    unsigned char sum = 0;
    for (const char *c = body; *c; c++) sum ^= *c;
    sprintf(text + strlen(text), "$%s*%02X\r\n", body, sum);
}

/* One epoch, north at 10 m/s. For gpsd GGA and RMC, which it takes for a cycle; for puckd a TPV. */
static void put_epoch(int k) {
    static time_t begin;
    if (!begin) begin = time(NULL) - 2;
    time_t second = begin + k / 10;
    struct tm t;
    gmtime_r(&second, &t);
    double latitude = 48.1 + k * PERIOD * 10 / 111195;
    char text[1024] = "", body[256];
    if (is_gpsd) {
        double minutes = (latitude - 48) * 60;
        snprintf(body, sizeof body, "GPGGA,%02d%02d%02d.%d00,48%010.7f,N,01134.0000000,E,1,09,0.9,440.0,M,46.0,M,,",
            t.tm_hour, t.tm_min, t.tm_sec, k % 10, minutes);
        sentence(text, body);
        snprintf(body, sizeof body, "GPRMC,%02d%02d%02d.%d00,A,48%010.7f,N,01134.0000000,E,19.44,0.0,%02d%02d%02d,,,A",
            t.tm_hour, t.tm_min, t.tm_sec, k % 10, minutes, t.tm_mday, t.tm_mon + 1, t.tm_year % 100);
        sentence(text, body);
    } else
        snprintf(text, sizeof text,
            "{\"class\":\"TPV\",\"device\":\"/dev/ttyX\",\"mode\":3,\"time\":\"%04d-%02d-%02dT%02d:%02d:%02d.%d00Z\","
            "\"ept\":0.005,\"lat\":%.9f,\"lon\":11.566666667,\"altHAE\":486.0,\"altMSL\":440.0,\"epx\":3.1,\"epy\":4.2,"
            "\"epv\":7.9,\"track\":0.0,\"speed\":10.0,\"climb\":0.0,\"eps\":0.8}\r\n",
            t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, k % 10, latitude);
    put(text);
}

static int clients, sockets[MOST_CLIENTS], set;
static char seen[MOST_CLIENTS];

static void join(const char *address) {
    set = epoll_create1(0);
    for (int i = 0; i < clients; i++) {
        struct sockaddr_un local = {.sun_family = AF_UNIX};
        struct sockaddr_in internet = loopback(atoi(address));
        strncpy(local.sun_path, address, sizeof local.sun_path - 1);
        int s = sockets[i] = socket(is_gpsd ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
        if (connect(s, is_gpsd ? (void *)&internet : (void *)&local, is_gpsd ? sizeof internet : sizeof local) < 0)
            fail(address);
        const char *request =
            is_gpsd ? "?WATCH={\"enable\":true,\"json\":true}\n" : "{\"type\":\"subscribe\",\"include\":[\"puck\"]}\n";
        if (send(s, request, strlen(request), 0) < 0) fail("send");
        fcntl(s, F_SETFL, O_NONBLOCK);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        epoll_ctl(set, EPOLL_CTL_ADD, s, &event);
    }
}

/* Reads until `until`, and tells each client's first line of the epoch that was sent at `sent`. */
static void watch(double sent, double until, int tell) {
    const char *wanted = is_gpsd ? "\"TPV\"" : "\"frame\"";
    memset(seen, 0, sizeof seen);
    static char buffer[65536];
    struct epoll_event ready[MOST_CLIENTS];
    for (double left; (left = until - now()) > 0;) {
        int some = epoll_wait(set, ready, MOST_CLIENTS, (int)ceil(left * 1e3));
        /* All that this wait returned could be read by now. */
        double at = now();
        for (int i = 0; i < some; i++) {
            int client = ready[i].data.u32;
            ssize_t size = read(sockets[client], buffer, sizeof buffer - 1);
            if (size <= 0) { fprintf(stderr, "latency: hung up on\n"); exit(1); }
            buffer[size] = 0;
            if (seen[client] || !strstr(buffer, wanted)) continue;
            seen[client] = 1;
            if (tell) printf("%.1f\n", (at - sent) * 1e6);
        }
    }
}

int main(int count, char **words) {
    is_gpsd = count > 1 && !strcmp(words[1], "gpsd");
    if (count != (is_gpsd ? 5 : 6)) {
        fprintf(stderr, "usage: latency puckd SOCKET PORT CLIENTS COUNT | latency gpsd PORT CLIENTS COUNT\n");
        return 2;
    }
    const char *address = words[2];
    clients = atoi(words[count - 2]);
    int epochs = atoi(words[count - 1]);
    if (clients < 1 || clients > MOST_CLIENTS) return 2;
    if (is_gpsd) open_terminal(); else accept_puckd(atoi(words[3]));
    join(address);
    /* The first seconds are for learning: gpsd where a cycle ends, puckd how often fixes come. */
    int warm = 30;
    double start = now();
    for (int k = 0; k < warm + epochs; k++) {
        double sent = now();
        put_epoch(k);
        watch(sent, start + (k + 1) * PERIOD, k >= warm);
    }
    return 0;
}
