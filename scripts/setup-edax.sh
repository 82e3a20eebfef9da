#!/usr/bin/env bash
# Fetches and builds Edax 4.6 and its evaluation data into third_party/edax-reversi. Does nothing
# when they are there already. Edax is a program of its own under the GPL v3; rdg starts it as a
# separate process and contains nothing of it.
#
# For a mirror: RDG_EDAX_REPOSITORY, RDG_EDAX_REVISION, RDG_EDAX_DATA_URL, RDG_EDAX_DATA_SHA256,
# RDG_EDAX_EVAL_SHA256. For another compiler: CC.

name=setup-edax
# shellcheck source=lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

repository=${RDG_EDAX_REPOSITORY:-https://github.com/abulmo/edax-reversi.git}
revision=${RDG_EDAX_REVISION:-14f048c05ddfa385b6bf954a9c2905bbe677e9d3}
data_url=${RDG_EDAX_DATA_URL:-https://github.com/abulmo/edax-reversi/releases/download/v4.6/edax-4.6-linux-x86.tar.gz}
data_sha256=${RDG_EDAX_DATA_SHA256:-7ca52cb0ccf591ad9690e7d21861d4a6f04b900c686346db98ea26dd30cd966a}
eval_sha256=${RDG_EDAX_EVAL_SHA256:-f8b2299612d9fa4414157e70e932636e33111c2602d0c2fc382a7d90ef21b792}

# The name that configs/app.toml expects, whatever the CPU.
program=bin/lEdax-x86-64-v3
eval_file=bin/data/eval.dat

# Whether the engine in this folder starts and speaks. works FOLDER
works() {
    ask "$1/bin" 30 $'nboard 1\nping 1' 'pong 1' "./$(basename "$program")" -nboard -q \
        -book-usage off -eval-file "$1/$eval_file" -n 1 -l 1 -h 10
}

is_ready() {
    [ -x "$target/$program" ] && [ -f "$target/$eval_file" ] &&
        has_revision "$target" "$revision" &&
        [ "$(sha256 "$target/$eval_file")" = "$eval_sha256" ] && works "$target"
}

ready() {
    say "Edax is ready: $target/$program"
    exit 0
}

need git "fetch the sources"
begin edax-reversi
if is_ready; then
    ready
fi
need make "build Edax"
need tar "unpack the evaluation data"
cc=$(compiler "${CC:-}" clang gcc cc)

case $(uname -m) in
    x86_64 | amd64)
        arch=x86-64
        if cpu_has popcnt sse4_2; then arch=x86-64-v2; fi
        if cpu_has avx2 bmi1 bmi2 fma; then arch=x86-64-v3; fi
        ;;
    aarch64 | arm64) arch=armv8 ;;
    *) arch=$(uname -m) ;;
esac

made="$work/edax-reversi"
checkout "$repository" "$revision" "$made"
mkdir -p "$made/bin/data"
build "Edax for $arch with $cc" \
    make -C "$made/src" build "ARCH=$arch" "CC=$cc" "COMP=$cc" OS=linux
[ -x "$made/bin/lEdax-$arch" ] || die "the build made no bin/lEdax-$arch"
if [ ! -e "$made/$program" ]; then
    ln -s "lEdax-$arch" "$made/$program"
fi

download "$data_url" "$data_sha256" "$work/data.tar.gz"
mkdir "$work/data"
tar -xzf "$work/data.tar.gz" -C "$work/data" || die "cannot unpack $data_url"
data=$(find "$work/data" -type f -path '*data/eval.dat' | head -n 1)
[ -n "$data" ] || die "$data_url holds no data/eval.dat"
[ "$(sha256 "$data")" = "$eval_sha256" ] ||
    die "data/eval.dat has SHA-256 $(sha256 "$data") instead of $eval_sha256; it was not used"
mv "$data" "$made/$eval_file"

works "$made" || die "the new Edax does not answer$(its_words); try another compiler: CC=gcc make setup-edax"
install_folder "$made"
ready
