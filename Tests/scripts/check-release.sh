#!/usr/bin/env bash
# usage: check-release.sh BUILD-DIRECTORY
# Checks that this commit can become the release that `puckd --version` names, and prints the commands that tag it.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$("$1/puckd" --version)
version=${version#puckd }
problems=0
problem() {
    echo "not ready: $1" >&2
    problems=$((problems + 1))
}

grep -qE '^[0-9]+\.[0-9]+\.[0-9]+$' <<<"$version" || problem "the version is “$version”, expected MAJOR.MINOR.PATCH"
[ "$("$1/puckctl" --version)" = "puckctl $version" ] || problem "puckctl and puckd have different versions"
grep -qE "^## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md ||
    problem "CHANGELOG.md has no line “## $version - $(date -u +%F)”"
! grep -q '^## Unreleased' CHANGELOG.md || problem "CHANGELOG.md still has changes under “Unreleased”"
[ -z "$(git status --porcelain)" ] || problem "there are changes that are not committed (git status)"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || problem "the tag v$version exists already"
Tests/scripts/check-manual.sh "$1" || problem "the manual pages are not complete"
[ "$problems" -eq 0 ] || exit 1
echo "Ready. To release: git tag --sign --message 'puckd $version' v$version && git push origin v$version"
