#!/bin/sh
# Plays a recorded conversation: `> ` is what it must be told, `< ` what it answers, `! ` what it
# says on stderr, `= ` its command line. Anything else that it is told ends it with the difference.
exec 3<"$0.script"
while IFS= read -r line <&3; do
    rest=${line#??}
    case $line in
    '= '*)
        [ "$*" = "$rest" ] || { echo "started as [$*], recorded [$rest]" >&2; exit 7; }
        ;;
    '> '*)
        IFS= read -r told || exit 9
        [ "$told" = "$rest" ] || { echo "was told [$told], recorded [$rest]" >&2; exit 8; }
        ;;
    '< '*) printf '%s\n' "$rest" ;;
    '! '*) printf '%s' "$rest" >&2 ;;
    esac
done
IFS= read -r told && [ "$told" = quit ]
