# What happens where npm or emscripten are missing. without_pages_test.sh BISECTOR SOURCES CMAKE COMPILER
# BISECTOR is a command that was built without its pages.
set -eu
bisector=$1
sources=$2
cmake=$3
compiler=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1" >&2; exit 1; }

# Configures with these programs hidden and folds what the build says into one line.
configure() {
    rm -rf "$folder/build"
    "$cmake" -S "$sources" -B "$folder/build" -DCMAKE_CXX_COMPILER="$compiler" -DBISECTOR_BUILD_TESTS=OFF "$@" \
        > "$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "cannot be configured with $*"; }
    tr -s ' \n' ' ' < "$folder/log" > "$folder/line"
}
said() { grep -q "$1" "$folder/line" || { cat "$folder/log" >&2; fail "expected the build to say: $1"; }; }

configure -DNPM_PROGRAM=
said 'npm and node were not found: the command will have no page'
configure -DEMXX_PROGRAM=
said "em++ was not found: the report's page will have no what-if panel"

# The command that comes of it does everything else, and says what it has not.
refused() {
    wanted=$1
    shift
    status=0
    "$bisector" "$@" > "$folder/out" 2> "$folder/err" || status=$?
    [ "$status" -eq 2 ] || fail "$*: status $status, expected 2"
    grep -q "$wanted" "$folder/err" || { cat "$folder/err" >&2; fail "expected: $wanted"; }
}
"$bisector" demo -o "$folder/demo" > "$folder/log"
[ ! -e "$folder/demo/report.html" ] || fail "a report without a page"
[ -s "$folder/demo/relevance.csv" ] || fail "no relevance"
set -- report "$folder/demo/model.npz" "$folder/demo/held_out.csv"
refused 'built without npm and has no page: build it where npm is installed' "$@" -o "$folder/report.html"
