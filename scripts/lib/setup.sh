# Shared by the set-up scripts; to be sourced. Everything is made in a temporary folder beside its
# final place and renamed there when it is complete and has been tried, so that an interrupted or
# failed set-up leaves nothing half-made.
#
# The sourcing script sets `name` (for messages) and calls `begin FOLDER` first.

set -euo pipefail
export GIT_TERMINAL_PROMPT=0 LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
third_party="${RDG_THIRD_PARTY:-$root/third_party}"
work=

say() {
    printf '%s: %s\n' "$name" "$*" >&2
}

die() {
    say "$*"
    exit 1
}

clean_up() {
    if [ -n "$work" ]; then
        rm -rf "$work"
    fi
}

# Ends the script unless the tool is there. need TOOL WHAT-FOR
need() {
    command -v "$1" >/dev/null 2>&1 ||
        die "$1 is missing, needed to $2; install it (Debian, Ubuntu: apt install ${3:-$1})"
}

# Checks the system, takes the lock, makes the temporary folder. begin FOLDER-IN-THIRD-PARTY
begin() {
    [ "$(uname -s)" = Linux ] ||
        die "knows Linux only; build the engine by its own readme and set binary in configs/app.toml"
    mkdir -p "$third_party" 2>/dev/null || die "cannot make the folder $third_party"
    target="$third_party/$1"
    # The lock is on the folder itself: it leaves no file behind and ends with this process.
    if command -v flock >/dev/null 2>&1; then
        exec 9<"$third_party"
        flock -n 9 || { say "waiting for another set-up to end" && flock 9; }
        # Whoever left one of these was killed: under the lock nobody is at work.
        rm -rf "$third_party/.$1."??????
    fi
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    work=$(mktemp -d "$third_party/.$1.XXXXXX") || die "cannot write into $third_party"
}

# Fetches one revision of a git repository into a new folder. checkout URL REVISION FOLDER
checkout() {
    local url=$1 revision=$2 folder=$3 log="$work/git.log"
    say "fetching $url at ${revision:0:12}"
    git init -q "$folder" 2>"$log" && git -C "$folder" remote add origin "$url" 2>>"$log" ||
        die "git cannot make a repository in $folder: $(last_words "$log")"
    # One revision alone is much smaller; where a server gives no single one, all are fetched.
    git -C "$folder" fetch -q --depth 1 origin "$revision" 2>"$log" ||
        git -C "$folder" fetch -q --tags origin '+refs/heads/*:refs/remotes/origin/*' 2>"$log" ||
        die "cannot fetch $url: $(last_words "$log")"
    git -C "$folder" -c advice.detachedHead=false checkout -q "$revision" 2>"$log" ||
        die "$url has no revision $revision: $(last_words "$log")"
}

# Downloads a file and checks its SHA-256. download URL SHA256 FILE
download() {
    local url=$1 sum=$2 file=$3 log="$work/download.log" found
    say "downloading $url"
    if command -v curl >/dev/null 2>&1; then
        curl -fsSL --retry 3 --connect-timeout 30 -o "$file" "$url" 2>"$log" ||
            die "cannot download $url: $(last_words "$log")"
    else
        need wget "download the evaluation data" "curl"
        wget -q --tries=3 --timeout=60 -O "$file" "$url" 2>"$log" ||
            die "cannot download $url: $(last_words "$log")"
    fi
    found=$(sha256 "$file")
    [ "$found" = "$sum" ] ||
        die "$url has SHA-256 $found instead of $sum; it was not used"
}

sha256() {
    if command -v sha256sum >/dev/null 2>&1; then
        sha256sum "$1" | cut -d ' ' -f 1
    else
        shasum -a 256 "$1" | cut -d ' ' -f 1
    fi
}

# The last line of a log that says something.
last_words() {
    grep -v '^[[:space:]]*$' "$1" | tail -n 1 | sed 's/^fatal: //' || true
}

# Runs a build with its output in a log, of which only the end is shown when it fails.
# build LABEL COMMAND...
build() {
    local label=$1 log="$work/build.log"
    shift
    say "building $label (a few minutes)"
    if ! "$@" >"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        die "$label cannot be built; the lines above are the end of its build's output"
    fi
}

# Asks a program something and waits until a line of its answer begins with BEGINNING; then ends it.
# Its input stays open until then, and nothing but the question is sent: an engine that finds a
# `quit` or the end of its input behind a question may leave it unanswered. What it says on stderr
# is in $work/said. ask FOLDER SECONDS QUESTION BEGINNING COMMAND...
ask() {
    local folder=$1 seconds=$2 question=$3 beginning=$4 ends is_running=1 is_answered=1 engine
    shift 4
    rm -f "$work/question"
    mkfifo "$work/question" || die "cannot make a pipe in $work"
    (cd "$folder" && exec timeout -k 1 "$seconds" "$@") \
        <"$work/question" >"$work/answer" 2>"$work/said" 9<&- &
    engine=$!
    exec 8>"$work/question"
    # In a shell of its own: it is ended by a signal when nobody reads.
    (printf '%s\n' "$question" >&8) 2>/dev/null || true
    ends=$((SECONDS + seconds + 2))
    while [ "$is_answered" = 1 ] && [ "$is_running" = 1 ] && [ "$SECONDS" -lt "$ends" ]; do
        # Looked at before the answer is: what it says last is not missed.
        kill -0 "$engine" 2>/dev/null || is_running=0
        if grep -q "^$beginning" "$work/answer" 2>/dev/null; then is_answered=0; else sleep 0.1; fi
    done
    kill "$engine" 2>/dev/null || true
    exec 8>&-
    wait "$engine" 2>/dev/null || true
    return "$is_answered"
}

# `; it said: …` where the program that was asked last said something on stderr.
its_words() {
    local words
    words=$(last_words "$work/said" 2>/dev/null)
    [ -z "$words" ] || printf '; it said: %s' "$words"
}

# Whether the CPU has every one of these features, as the kernel names them.
cpu_has() {
    local feature
    for feature in "$@"; do
        grep -m 1 -E '^(flags|Features)' /proc/cpuinfo | grep -qw "$feature" || return 1
    done
}

# The compiler to build with: the one named by the variable, else the first that is there.
# compiler VARIABLE-VALUE CANDIDATE...
compiler() {
    local candidate
    for candidate in "$@"; do
        if [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    die "no C compiler ($*) is there; install one (Debian, Ubuntu: apt install clang)"
}

# Puts the finished folder into its place. What was there before is kept beside it.
install_folder() {
    local made=$1 old
    if [ -e "$target" ] || [ -L "$target" ]; then
        old="$target.old-$(date +%Y%m%d-%H%M%S)"
        mv "$target" "$old" || die "cannot move $target away"
        say "kept what was in $target as $old"
    fi
    mv "$made" "$target" || die "cannot move the finished folder to $target"
}

# Whether a folder holds this revision of its repository.
has_revision() {
    [ "$(git -C "$1" rev-parse HEAD 2>/dev/null)" = "$2" ]
}
