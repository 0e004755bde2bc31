#!/usr/bin/env bash
# usage: check-completion.sh BUILD-DIRECTORY
# Checks what bash completion offers, with the programs in BUILD-DIRECTORY. Prints each error, and fails if there is
# one.
source "$(dirname "$0")/checks.sh" "$1"

PATH=$build:$PATH
source config/completion/puckctl

# Prints what completion offers for these words, sorted, on one line. The last word is the one to complete.
offered() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    local function=${1##*/}
    "_${function//-/_}"
    printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ' | sed 's/ $//'
}

# usage: expect "OFFERED WORDS" WORD…: checks what completion offers for the words.
expect() {
    local expected=$1 got
    shift
    got=$(offered "$@")
    [ "$got" = "$expected" ] || wrong "for “$*” expected “$expected”, got “$got”"
}

expect "watch" puckctl wat
expect "approximate precise" puckctl accuracy ""
expect "approximate precise" puckctl watch --accuracy ""
expect "precise" puckctl accuracy p
expect "--json" puckctl status --j
expect "--socket" puckctl --so
expect "status" puckctl --socket /run/x.sock stat
expect "Makefile" puckctl --socket Makef
expect "fix" puckctl watch --rate ""
expect "" puckctl ping ""
expect "animated-marker approximate" puckctl demo a
expect "$(puckctl demo | awk '{ print $1 }' | sort | tr '\n' ' ' | sed 's/ $//')" puckctl demo ""
expect "" puckctl nonsense-
# Completion offers no placeholders, such as DEGREES.
expect "course heading user" puckctl follow --bearing ""
expect "user" puckctl follow --zoom ""
expect "easeIn easeInOut easeOut linear" puckctl ease --curve ""
expect "auto course heading none" puckctl watch --bearing ""
expect "follow followWithCourse followWithHeading next none" puckctl track ""
expect "imperial metric nautical" puckctl --units ""
expect "imperial" puckctl watch --units i
expect "imperial" puckctl status --units i
expect "Makefile" puckctl overview Makef
expect "truncate" puckctl request-precise navigation -- truncat
for command in place marker view request-precise; do expect "" puckctl "$command" ""; done
expect "--help off on status" puckd-private ""
expect "off on" puckd-private o
expect "" puckd-private on ""
expect "replay" puckd ""
expect "--check-config --config" puckd --c
expect "Makefile" puckd --config Makef
expect "Makefile" puckd replay Makef
expect "Sources" puckd replay --state-directory Sour
expect "approximate precise" puckd replay --accuracy ""
expect "auto bike boat car walk" puckd replay --profile ""

# Completion offers every command of puckctl, and every option of every command.
commands=$(puckctl --help | awk '/^  [a-z]/ { print $1 }' | sort)
[ "$(wc -l <<<"$commands")" -ge 6 ] || wrong "puckctl --help lists no commands"
expect "$(tr '\n' ' ' <<<"$commands" | sed 's/ $//')" puckctl ""
for command in $commands; do
    options=$(puckctl "$command" --help | grep -oE -- ' \[?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u)
    for option in $options; do
        # An option may begin as another does, such as --heading and --heading-accuracy.
        expect "$(grep -- "^$option" <<<"$options" | tr '\n' ' ' | sed 's/ $//')" puckctl "$command" "$option"
    done
done
# Completion offers no placeholder after any word.
for command in $commands; do
    for word in "" $(offered puckctl "$command" --); do
        got=$(offered puckctl "$command" ${word:+"$word"} "")
        [ "$word" = --socket ] || [ "$word" = --gpx ] || [ "$command" = overview ] || ! [[ $got =~ [A-Z]{2} ]] ||
            wrong "for “puckctl $command $word” completion offers a placeholder: $got"
    done
done
# The program accepts every tracking mode that completion offers.
for mode in $(offered puckctl track ""); do
    message=$(puckctl --socket /nonexistent track "$mode" 2>&1)
    [ $? -eq 3 ] || wrong "completion offers puckctl track $mode, which puckctl refuses: $message"
done
[ "$(offered puckctl track "" | wc -w)" -ge 5 ] ||
    wrong "for “puckctl track” expected modes, got “$(offered puckctl track "")”"
[ "$failures" -eq 0 ]
