# What the check-*.sh begin with, to be sourced: the project's directory, $build as it was given, $scratch that is removed at
# the end, and `wrong`, by which they fail.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
wrong() {
    echo "$1" >&2
    failures=$((failures + 1))
}
