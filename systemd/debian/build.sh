#!/usr/bin/env bash
# usage: build.sh BUILD-DIRECTORY
# Packages the programs in BUILD-DIRECTORY for the Debian release of this host: .build/deb/puckd_*.deb.
# DEBFULLNAME and DEBEMAIL name the maintainer.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PROJECT=$PWD BUILD
BUILD=$(realpath "$1")
release=$(. /etc/os-release && echo "$VERSION_ID")
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
version=$("$BUILD/puckd" --version)
version=${version#puckd }+deb$release
maintainer="${DEBFULLNAME:-puckd} <${DEBEMAIL:-packages@puckd.invalid}>"
# The same sources give the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

rm -rf .build/deb
tree=.build/deb/puckd-$version
mkdir -p "$tree/debian"
cp systemd/debian/{rules,copyright,prerm,postrm,puckd.lintian-overrides} "$tree/debian/"
sed "s/@MAINTAINER@/$maintainer/" systemd/debian/control >"$tree/debian/control"
cat >"$tree/debian/changelog" <<CHANGELOG
puckd ($version) $codename; urgency=medium

  * Package of this release of puckd. Its history is in its repository.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGELOG

# Settings for systemd/install.sh. Debian 12 finds units only in /lib.
export DESTDIR=$PROJECT/$tree/debian/puckd PREFIX=/usr UNITDIR=/usr/lib/systemd/system
[ "$release" -gt 12 ] || UNITDIR=/lib/systemd/system
(cd "$tree" && dpkg-buildpackage --build=binary --unsigned-changes --no-sign)
ls "$PROJECT"/.build/deb/*.deb
