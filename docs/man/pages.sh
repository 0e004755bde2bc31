#!/usr/bin/env bash
# usage: pages.sh BUILD-DIRECTORY OUTPUT-DIRECTORY
# Makes the manual pages. Each NAME.SECTION.md next to this script is the Markdown source of one page; puckd-protocol(7)
# comes from docs/protocol.md. The script replaces these lines with text from the programs and the configuration file,
# so that no page can be out of date:
#   @help PROGRAM [COMMAND]   the output of --help
#   @commands PROGRAM         the output of --help for each command, under its own heading
#   @configuration            the keys of config/puckd.conf
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
build=$1
output=$2

# Prints help as Markdown: usage as code, options and commands as a list of definitions, the rest as paragraphs.
help_as_markdown() {
    "$build/$1" "${@:2}" --help | awk '
        function escaped(text) { gsub(/[][\\*_<>]/, "\\\\&", text); return text }
        function finish() { if (item) print ""; item = 0 }
        /^usage: / { print "    " substr($0, 8); usage = 1; next }
        usage && /^       / { print "    " substr($0, 8); next }
        { usage = 0 }
        /^  [^ ]/ {
            finish()
            rest = substr($0, 3)
            split_at = match(rest, /   */)
            # The description of a long option begins on the next line.
            print "**" escaped(split_at ? substr(rest, 1, split_at - 1) : rest) "**"
            if (split_at) print ": " escaped(substr(rest, split_at + RLENGTH))
            item = split_at ? 2 : 1
            next
        }
        item && /^    / { sub(/^ +/, ""); print (item == 1 ? ": " : "  ") escaped($0); item = 2; next }
        { finish(); print escaped($0) }
        END { finish() }'
}

# Prints the commands that a program lists in its help.
commands_of() { "$build/$1" --help | awk '/^  [a-z]/ { print $1 }'; }

# Prints the configuration as Markdown: sections as headings, and each key with its default, followed by its
# description.
configuration_as_markdown() {
    # The first paragraph describes the file, as the page already does.
    sed '1,2d' "$project/config/puckd.conf" | awk '
        function escaped(text) { gsub(/[][\\*_<>]/, "\\\\&", text); return text }
        function finish(i) {
            if (keys) print "\n" keys
            for (i = 1; i <= count; i++) print (!keys ? "" : i == 1 ? ": " : "  ") words[i]
            if (count) print ""
            count = 0
            keys = ""
        }
        # Indented lines and rules become code.
        function add(text, kind) {
            if (count && kind != last_kind) words[++count] = ""
            words[++count] = kind == "code" ? "    " text : escaped(text)
            last_kind = kind
        }
        /^\[/ { finish(); print "\n## Section " escaped($0) "\n"; next }
        /^#rule =/ { if (!by_default++) add("By default:", "text"); add(substr($0, 2), "code"); next }
        /^#[a-z-]+ =/ { keys = keys (keys ? ", " : "") "**" escaped(substr($0, 2)) "**"; next }
        /^# / && keys { finish() }
        /^#  / { add(substr($0, 4), "code"); next }
        /^# / { add(substr($0, 3), "text"); next }
        { finish() }
        END { finish() }'
}

# Replaces the @lines of a page.
expanded() {
    local line words
    while IFS= read -r line; do
        read -ra words <<<"$line"
        case "$line" in
        @help\ *) help_as_markdown "${words[@]:1}" ;;
        @commands\ *)
            for command in $(commands_of "${words[1]}"); do
                printf '## %s %s\n\n' "${words[1]}" "$command"
                help_as_markdown "${words[1]}" "$command"
            done
            ;;
        @configuration) configuration_as_markdown ;;
        *) printf '%s\n' "$line" ;;
        esac
    done
}

# usage: page NAME SECTION: turns Markdown into a page. The page's first line tells man(1) to run tbl.
page() {
    {
        printf "%s\n" "'\\\" t"
        # Links within a page are useless in print, and newer lowdowns put macros for links into tables, which tbl(1)
        # forbids.
        sed -E 's/\[([^]]+)\]\(#[^)]*\)/\1/g; /^\|/s/\[([^]]+)\]\([^)]*\)/\1/g' |
            lowdown -s -t man --out-no-smarty -M title="${1^^}" -M section="$2" -M source=puckd -M date=" " -
    } >"$output/$1.$2"
}

mkdir -p "$output"
for source in "$here"/*.md; do
    name=${source##*/}
    name=${name%.md}
    expanded <"$source" | page "${name%.*}" "${name##*.}"
done
{
    printf '# Name\n\npuckd-protocol - the protocol between puckd and its clients\n\n'
    cat "$project/docs/protocol.md"
} | page puckd-protocol 7
