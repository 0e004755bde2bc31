#include "CGPS.h"

#include <errno.h>
#include <gps.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Which libgps this is. The API version alone does not tell: names changed in 3.23.1 without a bump.
//   STATUS_GPS  3.23.1  STATUS_FIX and STATUS_DGPS_FIX got their present names
//   IMU_SET     3.23    struct attitude_t left the union
//   EOF_SET     3.25    gps_unpack() takes const
//   ANT_UNK     3.26    gst left the union; gps_fd became intptr_t
// Members of the union are named as before after they left it, so that only what is new needs an #if.

// PuckCore.FixStatus has these numbers.
#ifdef STATUS_GPS
_Static_assert(STATUS_GPS == 1 && STATUS_DGPS == 2, "gpsd's fix status has been renumbered");
#else
_Static_assert(STATUS_FIX == 1 && STATUS_DGPS_FIX == 2, "gpsd's fix status has been renumbered");
#endif
_Static_assert(STATUS_RTK_FIX == 3 && STATUS_RTK_FLT == 4 && STATUS_DR == 5 && STATUS_GNSSDR == 6 &&
                   STATUS_TIME == 7 && STATUS_SIM == 8 && STATUS_PPS_FIX == 9,
               "gpsd's fix status has been renumbered");
_Static_assert(MODE_NOT_SEEN == 0 && MODE_NO_FIX == 1 && MODE_2D == 2 && MODE_3D == 3,
               "gpsd's fix mode has been renumbered");

#define STRING_(x) #x
#define STRING(x) STRING_(x)

const char *cgps_api_version(void) { return STRING(GPSD_API_MAJOR_VERSION) "." STRING(GPSD_API_MINOR_VERSION); }

// MARK: unpacking

struct cgps_unpacker {
    struct gps_data_t data;
};

struct cgps_unpacker *cgps_unpacker_new(void) { return calloc(1, sizeof(struct cgps_unpacker)); }

void cgps_unpacker_free(struct cgps_unpacker *unpacker) { free(unpacker); }

// Clears what is read of a line, and what libgps reckons it from. libgps never clears it itself, and sets only what its
// own tables know: a zero left in what an old one does not read would be a value. Not the whole struct: that would be more
// work than the line.
static void forget(struct gps_data_t *data, enum cgps_kind kind, bool lists_satellites) {
    data->set = 0;
    data->dev.path[0] = '\0';
    memset(&data->fix, 0, sizeof data->fix);
    data->fix.latitude = data->fix.longitude = NAN;
    data->fix.altitude = data->fix.altHAE = data->fix.altMSL = NAN;
    data->fix.magnetic_var = NAN;
    data->fix.speed = data->fix.track = NAN;
    data->fix.eph = data->fix.epx = data->fix.epy = data->fix.epv = NAN;
    data->dop.hdop = NAN;
    data->satellites_used = data->satellites_visible = 0;
    if (lists_satellites) {
        memset(data->skyview, 0, sizeof data->skyview);
    }
    switch (kind) {
    // Up to 3.22 the attitude, up to 3.25 the noise share a union with all else.
    case CGPS_ATT:
        memset(&data->attitude, 0, sizeof data->attitude);
        data->attitude.heading = NAN;
        break;
    case CGPS_GST:
        memset(&data->gst, 0, sizeof data->gst);
        data->gst.lat_err_deviation = data->gst.lon_err_deviation = data->gst.alt_err_deviation = NAN;
        break;
    case CGPS_TPV:
    case CGPS_SKY:
    case CGPS_NOTHING:
        break;
    }
}

static enum cgps_kind kind_of(const char *line) {
    static const struct {
        const char *prefix;
        enum cgps_kind kind;
    } kinds[] = {
        {"{\"class\":\"TPV\"", CGPS_TPV},
        {"{\"class\":\"ATT\"", CGPS_ATT},
        {"{\"class\":\"SKY\"", CGPS_SKY},
        {"{\"class\":\"GST\"", CGPS_GST},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(kinds[i].prefix);
        if (strncmp(line, kinds[i].prefix, length) == 0) {
            // gps_unpack() goes on with whatever follows where it stopped; a class found there that does not begin an
            // object stops it in the same place again, for ever.
            return strstr(line + length, "\"class\":") == NULL ? kinds[i].kind : CGPS_NOTHING;
        }
    }
    return CGPS_NOTHING;
}

enum cgps_kind cgps_unpack(struct cgps_unpacker *unpacker, char *line, struct cgps_report *report) {
    struct gps_data_t *data = &unpacker->data;
    enum cgps_kind kind = kind_of(line);

    if (kind == CGPS_NOTHING) {
        return CGPS_NOTHING;
    }
    bool lists_satellites = kind == CGPS_SKY && strstr(line, "\"satellites\":") != NULL;
    forget(data, kind, lists_satellites);
    // Its answer says nothing: success for what it could not read (to 3.27), failure for what it does not know (after).
    (void)gps_unpack(line, data);
    if ((kind == CGPS_ATT && (data->set & ATTITUDE_SET) == 0) || (kind == CGPS_GST && (data->set & GST_SET) == 0)) {
        return CGPS_NOTHING;
    }

    bool counted = lists_satellites && (data->set & SATELLITE_SET) != 0;
    *report = (struct cgps_report){
        .device = data->dev.path,
        .mode = data->fix.mode,
        .status = data->fix.status,
        .latitude = data->fix.latitude,
        .longitude = data->fix.longitude,
        .altitude_ellipsoid = data->fix.altHAE,
        .altitude_msl = data->fix.altMSL,
        .altitude = data->fix.altitude,
        .speed = data->fix.speed,
        .track = data->fix.track,
        .eph = data->fix.eph,
        .epx = data->fix.epx,
        .epy = data->fix.epy,
        .epv = data->fix.epv,
        .magnetic_variation = data->fix.magnetic_var,
        .heading = kind == CGPS_ATT ? data->attitude.heading : NAN,
        .hdop = data->dop.hdop,
        .satellites_used = counted ? data->satellites_used : -1,
        .satellites_visible = counted ? data->satellites_visible : -1,
        .sigma_latitude = kind == CGPS_GST ? data->gst.lat_err_deviation : NAN,
        .sigma_longitude = kind == CGPS_GST ? data->gst.lon_err_deviation : NAN,
        .sigma_altitude = kind == CGPS_GST ? data->gst.alt_err_deviation : NAN,
    };
    return kind;
}

// MARK: the connection

struct cgps_connection {
    struct gps_data_t data;
    // libgps from 3.25 on keeps the two pointers that it is given.
    char *host;
    char *port;
};

static void release(struct cgps_connection *connection) {
    free(connection->host);
    free(connection->port);
    free(connection);
}

// How long an address is given to answer, milliseconds, and how many are tried: what a name has at most in practice.
enum { PATIENCE = 5000, MOST_ADDRESSES = 3 };

// Connects to one address; 0, or why it could not.
static int try_address(const struct addrinfo *address) {
    int fd = socket(address->ai_family, address->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address->ai_protocol);
    if (fd < 0) {
        return errno;
    }
    int code = connect(fd, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
    if (code == EINPROGRESS) {
        struct pollfd wait = {.fd = fd, .events = POLLOUT};
        socklen_t size = sizeof code;
        code = ETIMEDOUT;
        if (poll(&wait, 1, PATIENCE) > 0) {
            (void)getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size);
        }
    }
    (void)close(fd);
    return code;
}

static const char *words(int code) {
    switch (code) {
    case 0: return "it did not answer, and now it does";
    case ECONNREFUSED: return "connection refused: nothing listens there";
    case ETIMEDOUT: return "no answer: the host is off, or a firewall is in between";
    case EHOSTUNREACH: return "no route to the host";
    case ENETUNREACH: return "the network can't be reached";
    case EACCES:
    case EPERM: return "permission denied: a firewall, or the service's own limits, forbid it";
    default: return strerror(code);
    }
}

// Says why gpsd could not be reached. libgps does not: to it a closed port, a dead host and a firewall are all one.
static void explain(const char *host, const char *port, char *error, size_t error_size) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    int failure = getaddrinfo(host, port, &hints, &list);
    switch (failure) {
    case 0: break;
    case EAI_NONAME: (void)snprintf(error, error_size, "unknown host name"); return;
    case EAI_SERVICE: (void)snprintf(error, error_size, "unknown port"); return;
    case EAI_AGAIN: (void)snprintf(error, error_size, "the name service does not answer"); return;
    case EAI_SYSTEM: (void)snprintf(error, error_size, "%s", strerror(errno)); return;
    default: (void)snprintf(error, error_size, "%s", gai_strerror(failure)); return;
    }
    int code = EHOSTUNREACH;
    int tried = 0;
    for (const struct addrinfo *address = list; address != NULL && tried < MOST_ADDRESSES; address = address->ai_next) {
        tried++;
        int found = try_address(address);
        // The first that refuses says more than a second family that this host has no route for.
        if (tried == 1 || found == 0 || code == ENETUNREACH || code == EHOSTUNREACH) {
            code = found;
        }
    }
    freeaddrinfo(list);
    (void)snprintf(error, error_size, "%s", words(code));
}

struct cgps_connection *cgps_open(const char *host, const char *port, char *error, size_t error_size) {
    // gps_open() reads some of what it is given before it has written to it.
    struct cgps_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) {
        (void)snprintf(error, error_size, "no memory");
        return NULL;
    }
    connection->host = strdup(host);
    connection->port = strdup(port);
    if (connection->host == NULL || connection->port == NULL) {
        (void)snprintf(error, error_size, "no memory");
        release(connection);
        return NULL;
    }
    if (gps_open(connection->host, connection->port, &connection->data) != 0) {
        explain(host, port, error, error_size);
        release(connection);
        return NULL;
    }
    if ((intptr_t)connection->data.gps_fd < 0) {
        // Host names such as GPSD_SHARED_MEMORY stand for other ways to reach gpsd, which have no descriptor.
        (void)snprintf(error, error_size, "%s is not the name of a host", host);
        (void)gps_close(&connection->data);
        release(connection);
        return NULL;
    }
    return connection;
}

int cgps_descriptor(const struct cgps_connection *connection) { return (int)(intptr_t)connection->data.gps_fd; }

bool cgps_send(struct cgps_connection *connection, const char *command) {
    return gps_send(&connection->data, "%s", command) == 0;
}

void cgps_close(struct cgps_connection *connection) {
    (void)gps_close(&connection->data);
    release(connection);
}
