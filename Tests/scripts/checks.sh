# The start of every check-*.sh, which source it. Changes to the project's directory; sets $build from the argument and
# $scratch, which is deleted at the end; defines `wrong`, which reports an error.
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
