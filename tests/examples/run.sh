# The examples of the command line, run as their readers would. run.sh BISECTOR SOURCE_FOLDER
set -eu
export BISECTOR=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1" >&2; exit 1; }

sh "$source/examples/command_line/unseen_rows.sh" "$source/cli/demo/breast_cancer.csv" diagnosis \
    "$folder/rows" --model svm > "$folder/log"
grep -Eq '^worst texture +0\.[0-9]+ +\+0\.[0-9]+$' "$folder/log" || fail "no line about a column"
[ "$(wc -l < "$folder/log")" -eq 32 ] || fail "expected a line for each of 30 columns, a header and a path"
[ "$(wc -l < "$folder/rows/relevance.csv")" -eq 570 ] || fail "expected 569 rows and a header"
cut -d, -f1 "$folder/rows/relevance.csv" | tail -n +2 > "$folder/numbers"
seq 569 | cmp - "$folder/numbers" || fail "expected every row once, in order"
