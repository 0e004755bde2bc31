# usage: awk -f dwell.awk: copies fixes (t,lat,lon,…). If silence follows a fix, repeats it every 50 s for 400 s.
#
# The attacks probe copies of a mechanism with one fix every two hours. puckd uses a location only at an epoch, and only
# if it is at most a minute old, so it would ignore most of these probes. The adversary would then learn less about the
# map than one who keeps the receiver of his copy in place for long enough. A real device has no such gaps.
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
