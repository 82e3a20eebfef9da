#!/usr/bin/env bash
# Fetches and builds Egaroucid for Console 7.8.1 into third_party/Egaroucid; its repository holds
# its evaluation data. Does nothing when it is there already. Egaroucid is a program of its own
# under the GPL v3; rdg starts it as a separate process and contains nothing of it.
#
# For a mirror: RDG_EGAROUCID_REPOSITORY, RDG_EGAROUCID_REVISION. For another compiler: CXX, and
# CXXFLAGS for its flags; to build without CMake although it is there: RDG_SETUP_WITHOUT_CMAKE=1.

name=setup-egaroucid
# shellcheck source=lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

repository=${RDG_EGAROUCID_REPOSITORY:-https://github.com/Nyanyan/Egaroucid.git}
revision=${RDG_EGAROUCID_REVISION:-ca813afe2512e2d939ad22dbd53f43bb2c1e55f8}

program=bin/Egaroucid_for_Console.out
# What the program reads at start; the last two from beside itself.
eval_file=bin/resources/eval.egev2
needed=("$eval_file" bin/resources/eval_move_ordering_end.egev bin/resources/hash/hash25.eghs)

# Whether the engine in this folder starts and speaks. Its start fails at random about once in
# fifty. works FOLDER
works() {
    for _ in 1 2 3 4 5; do
        if ask "$1/bin" 60 '1 name' '=' "./$(basename "$program")" -gtp -q -nobook -l 1 -t 1 \
            -eval "$1/$eval_file"; then
            return 0
        fi
    done
    return 1
}

has_files() {
    local file
    for file in "${needed[@]}"; do
        [ -f "$1/$file" ] || return 1
    done
}

is_ready() {
    [ -x "$target/$program" ] && has_files "$target" && has_revision "$target" "$revision" &&
        # The evaluation data is a file of the revision: git knows its right bytes.
        git -C "$target" diff --quiet HEAD -- "$eval_file" 2>/dev/null && works "$target"
}

ready() {
    say "Egaroucid is ready: $target/$program"
    exit 0
}

# Upstream names two ways to build: CMake 3.25 or newer, and the compiler alone.
has_cmake() {
    [ -z "${RDG_SETUP_WITHOUT_CMAKE:-}" ] && command -v cmake >/dev/null 2>&1 || return 1
    local version
    version=$(cmake --version | sed -n '1s/[^0-9]*//p')
    [ "$(printf '3.25\n%s\n' "$version" | sort -V | head -n 1)" = 3.25 ]
}

need git "fetch the sources"
begin Egaroucid
if is_ready; then
    ready
fi
cxx=$(compiler "${CXX:-}" clang++ g++ c++)

# This revision uses std::clamp without its header, which not every standard library forgives.
flags="-include algorithm${CXXFLAGS:+ $CXXFLAGS}"

defines=()
case $(uname -m) in
    x86_64 | amd64)
        if ! cpu_has avx2; then defines+=(HAS_NO_AVX2); fi
        if grep -qm 1 AuthenticAMD /proc/cpuinfo; then defines+=(HAS_AMD_PROCESSOR); fi
        ;;
    *) defines+=(HAS_ARM_PROCESSOR) ;;
esac

made="$work/Egaroucid"
checkout "$repository" "$revision" "$made"
has_files "$made" || die "revision $revision of $repository lacks one of: ${needed[*]}"
if has_cmake; then
    settings=("${defines[@]/#/-D}")
    settings=("${settings[@]/%/=ON}")
    build "Egaroucid with CMake and $cxx" bash -euc '
        source=$1 out=$2 cxx=$3 flags=$4
        shift 4
        cmake -S "$source" -B "$out" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$cxx" \
            -DCMAKE_CXX_FLAGS="$flags" "$@"
        cmake --build "$out" --target Egaroucid_for_Console.out
    ' build "$made" "$work/build" "$cxx" "$flags" "${settings[@]}"
else
    # Flags are words, as make and CMake take them.
    # shellcheck disable=SC2086
    build "Egaroucid with $cxx" \
        "$cxx" -O2 -std=c++20 -mtune=native -march=native -pthread $flags "${defines[@]/#/-D}" \
        "$made/src/Egaroucid_for_Console.cpp" -o "$made/$program"
fi
[ -x "$made/$program" ] || die "the build made no $program"

works "$made" || die "the new Egaroucid does not answer$(its_words); try another compiler: CXX=g++ make setup-egaroucid"
install_folder "$made"
ready
