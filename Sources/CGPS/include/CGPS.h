#ifndef CGPS_H
#define CGPS_H

// The only face of libgps that the rest of puckd sees: flat, the same for every libgps from 3.22 on.
// struct gps_data_t is 24 to 49 kB, changes its shape with each release, and is never shown to Swift.

#include <stdbool.h>
#include <stddef.h>

/// The API version of the libgps that this was compiled for, such as "14.0" for gpsd 3.25.
const char *cgps_api_version(void);

// MARK: unpacking

/// What a line was. CGPS_NOTHING: none of these, or refused.
enum cgps_kind { CGPS_NOTHING = 0, CGPS_TPV = 1, CGPS_ATT = 2, CGPS_SKY = 3, CGPS_GST = 4 };

/// What libgps read from one line. A real number that the line did not give is NaN; any may be infinite or out of
/// range. Units are gpsd's own: degrees, metres, metres per second.
struct cgps_report {
    /// The receiver's path, empty where the line names none. It lasts until the next line is unpacked.
    const char *device;
    int mode;
    int status;
    double latitude, longitude;
    double altitude_ellipsoid, altitude_msl;
    /// The altitude of gpsds before 3.20, which do not say above what.
    double altitude;
    double speed, track;
    double eph, epx, epy, epv;
    /// East of true north.
    double magnetic_variation;
    double heading;
    double hdop;
    /// Counted from the list of satellites; -1 where libgps counted none.
    int satellites_used, satellites_visible;
    double sigma_latitude, sigma_longitude, sigma_altitude;
};

/// A struct gps_data_t to unpack lines into.
struct cgps_unpacker;

/// A new one, or NULL where there is no memory.
struct cgps_unpacker *cgps_unpacker_new(void);
void cgps_unpacker_free(struct cgps_unpacker *unpacker);

/// Unpacks one line; nothing of an earlier one is left in what is told of it.
///
/// `line` ends in NUL and is scratch: libgps 3.22 asks for memory that it may write to. It must begin with
/// `{"class":"TPV"` (or ATT, SKY, GST) and hold no second `"class":`; anything else is refused, because
/// gps_unpack() looks for the class anywhere in the text and never returns from some lines where it stands elsewhere.
enum cgps_kind cgps_unpack(struct cgps_unpacker *unpacker, char *line, struct cgps_report *report);

// MARK: the connection

/// A connection to gpsd.
struct cgps_connection;

/// Connects to gpsd over TCP. Blocks for as long as the resolver and connect(2) do.
///
/// NULL where it could not, with the reason in `error`, in words; to find it out may take 15 s more.
struct cgps_connection *cgps_open(const char *host, const char *port, char *error, size_t error_size);

/// The connection's socket.
int cgps_descriptor(const struct cgps_connection *connection);

/// Sends one command line (its newline may be left out) of at most 8,000 bytes. False where it did not go out whole.
bool cgps_send(struct cgps_connection *connection, const char *command);

/// Closes the socket and frees the connection.
void cgps_close(struct cgps_connection *connection);

#endif
