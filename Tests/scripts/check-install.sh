#!/usr/bin/env bash
# usage: check-install.sh BUILD-DIRECTORY
# Installs into a scratch directory, and uninstalls again. Prints each error, and fails if there is one.
source "$(dirname "$0")/checks.sh" "$1"

root=$scratch
export DESTDIR=$root PREFIX=/opt/puckd
unset UNITDIR

systemd/install.sh install "$build" || exit 1
for file in bin/puckd bin/puckctl sbin/puckd-private libexec/puckd/is-receiver libexec/puckd/check-private; do
    [ -x "$root$PREFIX/$file" ] || wrong "$file is missing or not executable"
done
for file in lib/systemd/{system,user}/puckd.{service,socket} lib/sysusers.d/puckd.conf lib/tmpfiles.d/puckd.conf \
    share/man/man1/puckctl.1 share/man/man5/puckd.conf.5 share/man/man7/puckd-protocol.7 share/man/man8/puckd.8 \
    share/bash-completion/completions/{puckctl,puckd,puckd-private} share/puckd/private/gpsd.service.d/puckd-private.conf; do
    [ -s "$root$PREFIX/$file" ] || wrong "$file is missing"
done
[ "$("$root$PREFIX/bin/puckd" --version)" = "$("$build/puckd" --version)" ] || wrong "the installed puckd does not run"
[ "$(stat -c %s "$root$PREFIX/bin/puckd")" -lt "$(stat -c %s "$build/puckd")" ] || wrong "puckd is not stripped"
grep -q "^ExecStart=$PREFIX/bin/puckd$" "$root$PREFIX/lib/systemd/system/puckd.service" ||
    wrong "the service does not start the installed program"
# Every path of an installed file has the prefix.
! grep -rnE '/usr/(bin/puck|libexec/puckd|share/puckd)' "$root" --include='*' --binary-files=without-match >&2 ||
    wrong "some paths have another prefix"

# A changed configuration survives another installation and the removal.
echo "# mine" >"$root/etc/puckd/puckd.conf"
systemd/install.sh install "$build" || exit 1
[ "$(<"$root/etc/puckd/puckd.conf")" = "# mine" ] || wrong "the configuration was overwritten"
systemd/install.sh uninstall >/dev/null || wrong "uninstall failed"
left=$(cd "$root" && find . ! -type d)
[ "$left" = ./etc/puckd/puckd.conf ] || wrong "left behind: $left"
left=$(find "$root$PREFIX" -name '*puckd*' -mindepth 1)
[ -z "$left" ] || wrong "directories left behind: $left"
[ "$failures" -eq 0 ]
