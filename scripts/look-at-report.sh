#!/usr/bin/env bash
# Looks at a page of rdg report in a real browser: screenshots at three widths and a PDF, and fails if
# anything is wider than the page or the browser complains.
#
#   look-at-report.sh PAGE.html FOLDER

set -euo pipefail

page=$(realpath "$1")
out=$2
mkdir -p "$out"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "no chromium; install it to look at reports" >&2
    exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# headless WIDTH HEIGHT WORD...
headless() {
    local width=$1 height=$2
    shift 2
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
        --user-data-dir="$work/profile" --window-size="$width,$height" --enable-logging=stderr "$@" 2>>"$work/log"
}

for width in 360 1024 1600; do
    headless "$width" 6000 --screenshot="$out/report-$width.png" "file://$page" >/dev/null
done
headless 1024 800 --no-pdf-header-footer --print-to-pdf="$out/report.pdf" "file://$page" >/dev/null

# The browser has a least width of its own, so the page is measured in a frame of the wanted one.
{
    printf '<!DOCTYPE html><body>'
    for width in 360 1024 1600; do
        printf '<iframe width="%s" height="900" src="file://%s"></iframe>' "$width" "$page"
    done
    cat <<'PAGE'
<script>
onload = () => {
  document.title = [...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, width = frame.clientWidth;
    const inside = element => element.closest(".scroll") && !element.matches(".scroll");
    const wide = [...page.querySelectorAll("body *")].filter(
      element => !inside(element) && element.getBoundingClientRect().right > width + 0.5);
    const scrolls = page.documentElement.scrollWidth > width;
    return `width ${width}: ${wide.length} elements outside${scrolls ? ", the page scrolls" : ""}`;
  }).join("; ");
  document.body.textContent = document.title;
};
</script>
PAGE
} >"$work/measure.html"
headless 1800 1000 --allow-file-access-from-files --virtual-time-budget=5000 --dump-dom "file://$work/measure.html" >"$work/dom"
measured=$(grep -o 'width 360: [^<]*' "$work/dom" | head -1) || {
    echo "the page could not be measured" >&2
    cat "$work/log" >&2
    exit 1
}
echo "$measured"
failed=0
case $measured in
*"the page scrolls"* | *[1-9]" elements outside"*) failed=1 ;;
esac
if grep 'CONSOLE' "$work/log"; then
    failed=1
fi
exit "$failed"
