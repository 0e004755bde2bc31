#!/usr/bin/env bash
# usage: install.sh install BUILD-DIRECTORY
#        install.sh uninstall
# Installs or removes the programs in BUILD-DIRECTORY and their files, for `make install` and `make uninstall`.
# Environment:
#   DESTDIR   a prefix of every path, for packages
#   PREFIX    /usr/local by default
#   UNITDIR   the directory of systemd units; PREFIX/lib/systemd/system by default
set -euo pipefail
cd "$(dirname "$0")/.."
action=$1
build=${2:-}
DESTDIR=${DESTDIR:-}
PREFIX=${PREFIX:-/usr/local}
UNITDIR=${UNITDIR:-$PREFIX/lib/systemd/system}
manual=.build/manual

# usage: each VERB: runs VERB KIND SOURCE DESTINATION for each file to install. This list is complete.
each() {
    for program in puckd puckctl; do "$1" program "$build/$program" "$PREFIX/bin/$program"; done
    "$1" configuration config/puckd.conf /etc/puckd/puckd.conf
    for unit in puckd.service puckd.socket; do
        "$1" text "systemd/$unit" "$UNITDIR/$unit"
        "$1" text "systemd/user/$unit" "$PREFIX/lib/systemd/user/$unit"
    done
    "$1" text systemd/puckd.sysusers "$PREFIX/lib/sysusers.d/puckd.conf"
    "$1" text systemd/puckd.tmpfiles "$PREFIX/lib/tmpfiles.d/puckd.conf"
    for file in {gpsd.service,gpsd.socket,puckd.service}.d/puckd-private.conf 62-puckd-private.rules; do
        "$1" text "systemd/private/$file" "$PREFIX/share/puckd/private/$file"
    done
    for program in is-receiver check-private; do
        "$1" script "systemd/private/$program" "$PREFIX/libexec/puckd/$program"
    done
    "$1" script systemd/private/puckd-private "$PREFIX/sbin/puckd-private"
    for page in puckd.8 puckd-private.8 puckd.conf.5 puckctl.1 puckd-protocol.7; do
        "$1" text "$manual/$page" "$PREFIX/share/man/man${page##*.}/$page"
    done
    for program in puckctl puckd puckd-private; do
        "$1" text config/completion/puckctl "$PREFIX/share/bash-completion/completions/$program"
    done
    for page in README.md docs/*.md docs/*.json; do "$1" text "$page" "$PREFIX/share/doc/puckd/${page##*/}"; done
}

put() {
    local kind=$1 source=$2 destination=$DESTDIR$3
    case $kind in
    program) install -D -s -m 0755 "$source" "$destination" ;;
    # Never overwrite an existing configuration.
    configuration) [ -e "$destination" ] || install -D -m 0644 "$source" "$destination" ;;
    script | text)
        # Adapt the paths of installed files to PREFIX.
        install -D -m "$([ "$kind" = script ] && echo 0755 || echo 0644)" /dev/null "$destination"
        sed "s,/usr/\(bin/puck\|libexec/puckd\|share/puckd\|share/doc/puckd\),$PREFIX/\1,g" "$source" >"$destination"
        ;;
    esac
}

# Removes a file, except the configuration, which the administrator may have changed.
remove() {
    [ "$1" = configuration ] || rm -f "$DESTDIR$3"
}

# Succeeds on the running system, and fails for the tree of a package.
is_here() { [ -z "$DESTDIR" ] && [ -d /run/systemd/system ]; }

case $action in
install)
    docs/man/pages.sh "$build" "$manual"
    each put
    if is_here; then
        systemd-sysusers puckd.conf
        systemctl daemon-reload
        echo "Installed. systemctl enable --now puckd starts it, now and with the system."
    fi
    ;;
uninstall)
    if is_here; then
        [ "$("$PREFIX/sbin/puckd-private" status)" = off ] || "$PREFIX/sbin/puckd-private" off
        systemctl disable --now puckd.service puckd.socket || :
    fi
    each remove
    for directory in share/puckd/private/{gpsd.service,gpsd.socket,puckd.service}.d share/puckd/private share/puckd \
        libexec/puckd share/doc/puckd; do
        rmdir --ignore-fail-on-non-empty "$DESTDIR$PREFIX/$directory" 2>/dev/null || :
    done
    if is_here; then systemctl daemon-reload; fi
    echo "Removed. /etc/puckd and /var/lib/puckd are left, and the groups puckd-precise and puckd-receiver."
    ;;
*)
    echo "install.sh: expected install or uninstall, got “$action”" >&2
    exit 2
    ;;
esac
