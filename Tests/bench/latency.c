/* usage: latency puckd|relay|gpsd|geoclue SOURCE ADDRESS CLIENTS COUNT PHASE
 * One process is both ends of the measured program: its source, and CLIENTS clients of it at ADDRESS.
 *
 *            SOURCE                                 ADDRESS              each client waits for
 *   puckd    a TCP port: gpsd's JSON                a Unix socket        a frame
 *   relay    the same (see floor.c)                 a Unix socket        the same line again
 *   gpsd     -: a receiver's NMEA, on a terminal    a TCP port           a TPV
 *   geoclue  a Unix socket: a receiver's NMEA       a D-Bus address      the signal LocationUpdated
 *
 * When the source is ready, it prints the terminal's path or "ready", and waits for a line on standard input, which
 * means that the program has started. It then sends COUNT epochs, one every tenth of a second. For each epoch and
 * client it prints the microseconds from just before the write until the client can read its line. If several run at
 * once, a different PHASE for each, from 0 to 1, makes them take turns within each tenth. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pty.h>
#include <sys/epoll.h>
#include <systemd/sd-bus.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "sockets.h"

#define PERIOD 0.1
#define MOST_CLIENTS 1024

#define GEOCLUE "org.freedesktop.GeoClue2"
#define GEOCLUE_CLIENT GEOCLUE ".Client"

enum program { PUCKD, RELAY, GPSD, GEOCLUE2, PROGRAMS };
static const char *const names[PROGRAMS] = {"puckd", "relay", "gpsd", "geoclue"};
static const char *const requests[PROGRAMS] = {
    "{\"type\":\"subscribe\",\"include\":[\"puck\"]}\n", "", "?WATCH={\"enable\":true,\"json\":true}\n", NULL};
static const char *const wanted[PROGRAMS] = {"\"frame\"", "\"TPV\"", "\"TPV\"", NULL};
static enum program program;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/* The source of the program's input. */

static int listener = -1, source;

static void put(const char *text) {
    if (write(source, text, strlen(text)) != (ssize_t)strlen(text)) fail("write");
}

static const char *open_terminal(void) {
    static char path[128];
    int terminal;
    if (openpty(&source, &terminal, path, NULL, NULL) < 0) fail("openpty");
    struct termios mode;
    tcgetattr(terminal, &mode);
    cfmakeraw(&mode);
    tcsetattr(terminal, TCSANOW, &mode);
    return path;
}

static void open_source(const char *address) {
    const char *said = "ready";
    if (program == GPSD) said = open_terminal();
    else if (listen(listener = stream_socket(address, bind), 1) < 0) fail("listen");
    printf("%s\n", said);
    fflush(stdout);
    char line[8];
    if (!fgets(line, sizeof line, stdin)) exit(1);
}

/* Accepts the program's connection (GeoClue connects when it has a client), and greets it like gpsd. */
static void accept_program(void) {
    if (program == GPSD) return;
    if ((source = accept(listener, NULL, NULL)) < 0) fail("accept");
    if (program == GEOCLUE2) return;
    put("{\"class\":\"VERSION\",\"release\":\"3.25\",\"rev\":\"3.25\",\"proto_major\":3,\"proto_minor\":15}\r\n"
        "{\"class\":\"DEVICES\",\"devices\":[{\"class\":\"DEVICE\",\"path\":\"/dev/ttyX\",\"driver\":\"NMEA0183\","
        "\"activated\":\"2026-06-01T12:00:00.000Z\"}]}\r\n{\"class\":\"WATCH\",\"enable\":true,\"json\":true}\r\n");
}

static void sentence(char *text, const char *body) {
    unsigned char sum = 0;
    for (const char *c = body; *c; c++) sum ^= *c;
    sprintf(text + strlen(text), "$%s*%02X\r\n", body, sum);
}

/* One epoch, north at 10 m/s: GGA and RMC, which form a cycle for gpsd, or a TPV. */
static const char *epoch(int k) {
    static time_t begin;
    if (!begin) begin = time(NULL) - 2;
    time_t second = begin + k / 10;
    struct tm t;
    gmtime_r(&second, &t);
    double latitude = 48.1 + k * PERIOD * 10 / 111195;
    static char text[1024];
    text[0] = 0;
    if (program == GPSD || program == GEOCLUE2) {
        char body[256];
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
    return text;
}

/* The clients. */

static int clients, sockets[MOST_CLIENTS], set;
static sd_bus *buses[MOST_CLIENTS];
static char came[MOST_CLIENTS];

static int note_update(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)message, (void)error;
    *(char *)data = 1;
    return 0;
}

static int need(int result, const char *what, const sd_bus_error *error) {
    if (result >= 0) return result;
    fprintf(stderr, "latency: %s: %s\n", what, error->message ? error->message : strerror(-result));
    exit(1);
}

/* A client of GeoClue on its own connection, which asks for every movement. */
static int join_bus(int i) {
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *answer;
    const char *path;
    need(sd_bus_open_system(&buses[i]), "the bus", &error);
    need(sd_bus_call_method(buses[i], GEOCLUE, "/org/freedesktop/GeoClue2/Manager", GEOCLUE ".Manager", "CreateClient",
        &error, &answer, ""), "CreateClient", &error);
    need(sd_bus_message_read(answer, "o", &path), "CreateClient", &error);
    /* The desktop id of a program in GeoClue's configuration. */
    need(sd_bus_set_property(buses[i], GEOCLUE, path, GEOCLUE_CLIENT, "DesktopId", &error, "s", "firefox"), "DesktopId", &error);
    need(sd_bus_set_property(buses[i], GEOCLUE, path, GEOCLUE_CLIENT, "RequestedAccuracyLevel", &error, "u", 8),
        "RequestedAccuracyLevel", &error);
    need(sd_bus_match_signal(buses[i], NULL, GEOCLUE, path, GEOCLUE_CLIENT, "LocationUpdated", note_update, &came[i]),
        "a match", &error);
    need(sd_bus_call_method(buses[i], GEOCLUE, path, GEOCLUE_CLIENT, "Start", &error, NULL, ""), "Start", &error);
    sd_bus_message_unref(answer);
    return sd_bus_get_fd(buses[i]);
}

/* Reads a client's data, and notes whether it contains the awaited message. */
static void receive(int i) {
    if (program == GEOCLUE2) {
        for (int result; (result = sd_bus_process(buses[i], NULL)) != 0;)
            if (result < 0) { fprintf(stderr, "latency: the bus hung up\n"); exit(1); }
        return;
    }
    static char buffer[65536];
    ssize_t size = read(sockets[i], buffer, sizeof buffer - 1);
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) { fprintf(stderr, "latency: hung up on\n"); exit(1); }
    buffer[size] = 0;
    if (strstr(buffer, wanted[program])) came[i] = 1;
}

static void join(const char *address) {
    set = epoll_create1(0);
    if (program == GEOCLUE2) setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1);
    for (int i = 0; i < clients; i++) {
        int s = sockets[i] = program == GEOCLUE2 ? join_bus(i) : stream_socket(address, connect);
        const char *request = requests[program];
        if (request && send(s, request, strlen(request), 0) < 0) fail("send");
        fcntl(s, F_SETFL, O_NONBLOCK);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        epoll_ctl(set, EPOLL_CTL_ADD, s, &event);
        receive(i); /* What a call has read before its answer is not shown by the socket any more. */
    }
}

/* Reads until `until`, and prints when each client first got data of the epoch that was sent at `sent`. */
static void watch(double sent, double until, int tell) {
    memset(came, 0, sizeof came);
    struct epoll_event ready[MOST_CLIENTS];
    for (double left; (left = until - now()) > 0;) {
        int some = epoll_wait(set, ready, MOST_CLIENTS, (int)ceil(left * 1e3));
        /* Everything that this wait returned is readable now. */
        double at = now();
        for (int i = 0; i < some; i++) {
            int client = ready[i].data.u32, before = came[client];
            receive(client);
            if (tell && came[client] && !before) printf("%.1f\n", (at - sent) * 1e6);
        }
    }
}

int main(int count, char **words) {
    while (count > 1 && program < PROGRAMS && strcmp(words[1], names[program])) program++;
    if (count != 7 || program == PROGRAMS || (clients = atoi(words[4])) < 1 || clients > MOST_CLIENTS) {
        fprintf(stderr, "usage: latency puckd|relay|gpsd|geoclue SOURCE ADDRESS CLIENTS COUNT PHASE\n");
        return 2;
    }
    int epochs = atoi(words[5]);
    double phase = atof(words[6]);
    open_source(words[2]);
    join(words[3]);
    accept_program();
    double start = (floor(now() / PERIOD) + 1 + phase) * PERIOD;
    watch(0, start, 0);
    /* In the first seconds, gpsd learns where a cycle ends, and puckd how often fixes come. */
    int warm = 30;
    for (int k = 0; k < warm + epochs; k++) {
        const char *text = epoch(k);
        double sent = now();
        put(text);
        watch(sent, start + (k + 1) * PERIOD, k >= warm);
    }
    return 0;
}
