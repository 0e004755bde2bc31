# usage: awk -f dwell.awk: fixes in (t,lat,lon,…), the same out, and each that silence follows again every 50 s for 400 s.
#
# The attacks probe copies of a mechanism by one fix every two hours. puckd looks only at epochs, at a location of the
# last minute, so most of those probes would find it blind, and the adversary would learn less of the map than one who
# lets the receiver of his copy stand for as long as it takes. What a device itself hears has no such gaps.
BEGIN { FS = "," }

function dwell(until, time) {
    if (until - last <= 600) return
    for (time = last + 50; time <= last + 400; time += 50) printf "%.3f%s\n", time, rest
}

NR > 2 { dwell($1) }
{ print }
NR > 1 {
    last = $1
    rest = substr($0, length($1) + 1)
}
END { if (NR > 1) dwell(last + 601) }
