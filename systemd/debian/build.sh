#!/usr/bin/env bash
# usage: build.sh BUILD-DIRECTORY
# Makes a package, for the Debian release that this is run on, of what was built there: .build/deb/puckd_*.deb.
# DEBFULLNAME and DEBEMAIL say whose it is.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PROJECT=$PWD BUILD
BUILD=$(realpath "$1")
release=$(. /etc/os-release && echo "$VERSION_ID")
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
version=$("$BUILD/puckd" --version)
version=${version#puckd }+deb$release
maintainer="${DEBFULLNAME:-puckd} <${DEBEMAIL:-packages@puckd.invalid}>"
# The same sources make the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

rm -rf .build/deb
tree=.build/deb/puckd-$version
mkdir -p "$tree/debian"
cp systemd/debian/{rules,copyright,prerm,postrm,puckd.lintian-overrides} "$tree/debian/"
sed "s/@MAINTAINER@/$maintainer/" systemd/debian/control >"$tree/debian/control"
cat >"$tree/debian/changelog" <<CHANGELOG
puckd ($version) $codename; urgency=medium

  * Of this release of puckd; its history is in its repository.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGELOG

# What systemd/install.sh installs by. Debian 12 has its units in /lib, and knows them there alone.
export DESTDIR=$PROJECT/$tree/debian/puckd PREFIX=/usr UNITDIR=/usr/lib/systemd/system
[ "$release" -gt 12 ] || UNITDIR=/lib/systemd/system
(cd "$tree" && dpkg-buildpackage --build=binary --unsigned-changes --no-sign)
ls "$PROJECT"/.build/deb/*.deb
