#!/bin/sh
# What drives your target? Every row of a table is explained by a model that did not see it.
#
#   unseen_rows.sh TABLE.csv TARGET OUT [options of bisector train]
#   unseen_rows.sh wine.csv quality wine-results --model svm --above 5 --gamma 0.2 --cost 100
#
# The rows are divided into five parts. Five models are trained on four parts each and explain the
# fifth. OUT/relevance.csv has a line for each row, with the row's number in the table. At the end
# the script prints, for each column, its mean |relevance| and the correlation of its value with its
# relevance. TABLE.csv has a header and a line for each row. Columns of text other than the target
# may need --type COL=one-hot or --type "COL=a<b<c" among the options.
set -eu
bisector=${BISECTOR:-bisector}
[ $# -ge 3 ] || { sed -n '4,5p' "$0" >&2; exit 2; }
table=$1 target=$2 out=$3
shift 3
mkdir -p "$out"
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

part=0
while [ "$part" -lt 5 ]; do
    awk -v part="$part" -v dir="$parts" 'NR == 1 || (NR - 2) % 5 != part { print > (dir "/train.csv") }
        NR == 1 || (NR - 2) % 5 == part { print > (dir "/test.csv") }' "$table"
    "$bisector" train "$parts/train.csv" --target "$target" "$@" -o "$parts/model.npz" > "$parts/log"
    "$bisector" explain "$parts/model.npz" "$parts/test.csv" -o "$parts/relevance.csv"
    # Row 3 of part 1 is row 12 of the table: the third of every fifth row from the second on.
    awk -F, -v OFS=, -v part="$part" 'NR == 1 { if (part == 0) print; next }
        { $1 = ($1 - 1) * 5 + part + 1; print }' "$parts/relevance.csv" >> "$parts/all.csv"
    part=$((part + 1))
    echo "part $part of 5 explained" >&2
done
head -n 1 "$parts/all.csv" > "$parts/sorted.csv"
tail -n +2 "$parts/all.csv" | sort -t, -k1,1n >> "$parts/sorted.csv"
mv "$parts/sorted.csv" "$out/relevance.csv"

# The columns of relevance.csv between base and remainder have the names of the table's columns.
awk -v table="$table" -v relevance="$out/relevance.csv" '
function split_line(text, cells) { gsub(/["\r]/, "", text); return split(text, cells, delimiter) }
BEGIN {
    getline line < table
    delimiter = line ~ /;/ ? ";" : line ~ /\t/ ? "\t" : ","
    columns = split_line(line, names)
    for (c = 1; c <= columns; ++c) place[names[c]] = c
    getline line < relevance
    gsub(/"/, "", line)
    cells = split(line, heads, ",")
    for (f = 1; f <= cells; ++f) {
        if (heads[f] == "base") first = f + 1
        if (heads[f] == "remainder") last = f - 1
    }
    while ((getline line < relevance) > 0 && (getline row < table) > 0) {
        split(line, r, ",")
        split_line(row, v)
        ++n
        for (f = first; f <= last; ++f) {
            x = v[place[heads[f]]]; y = r[f]
            size[f] += y < 0 ? -y : y
            sx[f] += x; sy[f] += y; sxx[f] += x * x; syy[f] += y * y; sxy[f] += x * y
        }
    }
    printf "%-24s %16s %12s\n", "column", "mean |relevance|", "correlation"
    for (f = first; f <= last; ++f) {
        spread = (n * sxx[f] - sx[f] ^ 2) * (n * syy[f] - sy[f] ^ 2)
        correlation = 0
        if (spread > 0) correlation = (n * sxy[f] - sx[f] * sy[f]) / sqrt(spread)
        printf "%-24s %16.4g %+12.2f\n", heads[f], size[f] / n, correlation
    }
}'
echo "every row: $out/relevance.csv"
