#!/usr/bin/env bash
# usage: check-manual.sh BUILD-DIRECTORY
# Makes the manual pages with the programs in BUILD-DIRECTORY, and checks that each is well-formed and that together
# they describe every option, command and key. Prints each error, and fails if there is one.
source "$(dirname "$0")/checks.sh" "$1"

pages=$scratch
docs/man/pages.sh "$build" "$pages" || exit 1

# usage: has PAGE WHAT: checks that the page contains the word.
has() { grep -qE -- "(^|[^a-z-])$2($|[^a-z-])" "$pages/$1.txt" || wrong "$1 does not mention $2"; }
options() { "$build/$1" "${@:2}" --help | grep -oE -- '(^|[[ ])--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u; }
# usage: at_least NUMBER WORDS…: checks the number of words, so that an empty list does not pass.
at_least() { [ $(($# - 1)) -ge "$1" ] || wrong "expected at least $1, found: ${*:2}"; }

expected=(puckctl.1 puckd-private.8 puckd-protocol.7 puckd.8 puckd.conf.5)
[ "$(ls "$pages" | tr '\n' ' ')" = "$(printf '%s ' "${expected[@]}")" ] || wrong "unexpected set of pages: $(ls "$pages")"
# Render the pages as text for a terminal that is wide enough not to break words.
for page in "$pages"/*; do mandoc -T utf8 -O width=400 "$page" | sed 's/.\x08//g' >"$page.txt"; done
for page in "${expected[@]}"; do
    mandoc -T lint -W error "$pages/$page" >&2 || wrong "$page is malformed"
    grep -qE "^ +${page%.*} - [a-z]" "$pages/$page.txt" || wrong "$page has no name for whatis"
    ! grep -E '^ *@[a-z]' "$pages/$page.txt" >&2 || wrong "$page still has an @line"
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
