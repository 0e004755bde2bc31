#!/usr/bin/env bash
# usage: check-manual.sh BUILD-DIRECTORY
# The manual pages, made with the programs as they are built: that each is well-formed, and tells every option, command
# and key. Says what is wrong, and fails by that.
source "$(dirname "$0")/checks.sh" "$1"

pages=$scratch
docs/man/pages.sh "$build" "$pages" || exit 1

# usage: has PAGE WHAT: whether it stands in the page as a word.
has() { grep -qE -- "(^|[^a-z-])$2($|[^a-z-])" "$pages/$1.txt" || wrong "$1 does not tell $2"; }
options() { "$build/$1" "${@:2}" --help | grep -oE -- '(^|[[ ])--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u; }
# usage: at_least NUMBER WORDS…: how many there are, lest a check of nothing passes.
at_least() { [ $(($# - 1)) -ge "$1" ] || wrong "expected at least $1, found: ${*:2}"; }

expected=(puckctl.1 puckd-private.8 puckd-protocol.7 puckd.8 puckd.conf.5)
[ "$(ls "$pages" | tr '\n' ' ')" = "$(printf '%s ' "${expected[@]}")" ] || wrong "other pages than expected: $(ls "$pages")"
# As a person reads them, on a terminal wide enough that no word is broken.
for page in "$pages"/*; do mandoc -T utf8 -O width=400 "$page" | sed 's/.\x08//g' >"$page.txt"; done
for page in "${expected[@]}"; do
    mandoc -T lint -W error "$pages/$page" >&2 || wrong "$page is not well-formed"
    grep -qE "^ +${page%.*} - [a-z]" "$pages/$page.txt" || wrong "$page does not tell its name as whatis reads it"
    ! grep -E '^ *@[a-z]' "$pages/$page.txt" >&2 || wrong "$page has an @line that was not replaced"
done

daemon=$(options puckd; options puckd replay)
at_least 8 $daemon
for option in $daemon; do has puckd.8 "$option"; done

commands=$("$build/puckctl" --help | awk '/^  [a-z]/ { print $1 }')
at_least 6 $commands
for command in $commands; do
    has puckctl.1 "puckctl $command"
    for option in $(options puckctl "$command"); do has puckctl.1 "$option"; done
done
for option in $(options puckctl); do has puckctl.1 "$option"; done

keys=$(grep -oE '^#[a-z-]+ =' config/puckd.conf | tr -d '#= ' | sort -u)
at_least 18 $keys
for key in $keys; do has puckd.conf.5 "$key ="; done
sections=$(grep -oE '^\[[a-z]+' config/puckd.conf | tr -d '[')
at_least 6 $sections
for section in $sections; do has puckd.conf.5 "\\[$section\\]"; done

requests=$(grep -oE '"type":"[a-zA-Z]+"' docs/protocol.md | sort -u | sed 's/.*:"//; s/"//')
at_least 15 $requests
for request in $requests; do has puckd-protocol.7 "\"type\":\"$request\""; done
[ "$failures" -eq 0 ]
