#!/bin/sh
# What only a process of its own shows: exit statuses, one line on standard error, signals, pipes,
# and what is left on the disk. Usage: process_test.sh BISECTOR FAILING-SYNC
set -u
bisector=$1 failing_sync=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect STATUS DESCRIPTION COMMAND...: the status, and for errors one line that says "error: ".
expect() {
  status=$1 description=$2
  shift 2
  "$@" >stdout 2>stderr
  actual=$?
  [ "$actual" -eq "$status" ] || fail "$description: status $actual, expected $status: $(cat stderr)"
  if [ "$status" -eq 0 ]; then
    # The model has support vectors, for which explain recommends a background.
    grep -v ' add --background ' stderr >other_notes
    [ ! -s other_notes ] || fail "$description: $(cat stderr)"
  else
    [ "$(wc -l <stderr)" -eq 1 ] || fail "$description: not one line: $(cat stderr)"
    grep -q '^error: ' stderr || fail "$description: no error: $(cat stderr)"
  fi
}

# expect_line DESCRIPTION TEXT: the last command's error is exactly this.
expect_line() {
  [ "$(cat stderr)" = "$2" ] || fail "$1: \"$(cat stderr)\", expected \"$2\""
}

expect_nothing_left() {
  for file in out.*; do
    [ ! -e "$file" ] || fail "$1: $file is left behind"
  done
}

cat >m.model <<'MODEL'
svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 2
total_sv 2
rho 0.1
label 1 -1
nr_sv 1 1
SV
1 1:1 2:0.5
-1 1:-1 2:0.25
MODEL
printf 'a,b\n1,2\n3,4\n' >d.csv
awk 'BEGIN { print "a,b"; for (i = 0; i < 200000; ++i) print i % 7 "," i % 11 }' >big.csv

expect 0 'plain explain' "$bisector" explain m.model d.csv
[ "$(wc -l <stdout)" -eq 3 ] || fail 'plain explain: three lines'
expect 0 'version' "$bisector" --version
expect 0 'help' "$bisector" explain --help
expect 0 'standard input' sh -c "\"$bisector\" explain m.model - <d.csv"
# The names of standard output, into a pipe, a file and behind what a file has already.
expect 0 'standard output' "$bisector" explain m.model d.csv
cp stdout expected_rows
for name in - /dev/stdout /dev/fd/1; do
  "$bisector" explain m.model d.csv -o $name 2>stderr | cat >piped
  cmp -s piped expected_rows || fail "-o $name into a pipe: $(cat piped stderr)"
  echo first >appended
  "$bisector" explain m.model d.csv -o $name >>appended 2>stderr
  { echo first; cat expected_rows; } | cmp -s - appended || fail "-o $name behind a file: $(cat appended stderr)"
done
"$bisector" explain -q m.model d.csv -o /dev/stderr --format csv 2>piped
cmp -s piped expected_rows || fail "-o /dev/stderr: $(cat piped)"
"$bisector" explain m.model d.csv -o out.npy && "$bisector" explain m.model d.csv --format npy | cmp -s - out.npy ||
  fail 'NPY into a pipe'
rm -f out.npy
expect 2 'bad option' "$bisector" explain m.model d.csv --nonsense
expect 2 'bad extension' "$bisector" explain m.model d.csv -o out.xyz
expect 1 'missing data' "$bisector" explain m.model no.csv -o out.csv
expect_line 'missing data' 'error: cannot open no.csv: No such file or directory'
expect 1 'missing model' "$bisector" predict no.model d.csv
expect 1 'unknown instruction set' env BISECTOR_ISA=abacus "$bisector" --version
expect_nothing_left 'errors'

# An error in the middle of a stream leaves no file, and an old one as it was.
{ cat big.csv; echo '1,oops'; } >broken.csv
expect 1 'broken row' "$bisector" explain m.model broken.csv -o out.csv
grep -q '^error: broken.csv:200002: ' stderr || fail "broken row: $(cat stderr)"
expect_nothing_left 'broken row'

# A reader that has seen enough closes the pipe: no error text, and no success.
for words in 'explain' 'predict' 'predict --format jsonl' 'explain -o /dev/stdout'; do
  { "$bisector" $words m.model big.csv 2>stderr; echo $? >status; } | head -n 2 >/dev/null
  [ "$(cat status)" -eq 141 ] || fail "$words into head: status $(cat status), expected 141"
  [ ! -s stderr ] || fail "$words into head: $(cat stderr)"
done

if [ -e /dev/full ]; then
  expect 1 'full disk' sh -c "\"$bisector\" explain m.model big.csv >/dev/full"
  expect_line 'full disk' 'error: cannot write to standard output: No space left on device'
  expect 1 'help on a full disk' sh -c "\"$bisector\" explain --help >/dev/full"
fi

# An interrupt while rows are still coming: status 128 + signal, nothing left behind.
mkfifo rows
for signal in INT:130 TERM:143; do
  expected=${signal#*:} signal=${signal%:*}
  # A shell's background jobs ignore SIGINT, and so would the command; env gives it back.
  env --default-signal=INT "$bisector" explain m.model - -o out.csv <rows 2>stderr &
  process=$!
  # Reading and writing at once: opening does not wait for a command that is gone already.
  exec 3<>rows
  printf 'a,b\n1,2\n' >&3
  tries=0
  while ! ls out.csv.*.tmp >/dev/null 2>&1 && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  [ $tries -lt 100 ] || fail "SIG$signal: no temporary file to begin with"
  kill -$signal $process
  wait $process
  status=$?
  exec 3>&-
  [ $status -eq "$expected" ] || fail "SIG$signal: status $status, expected $expected"
  [ ! -s stderr ] || fail "SIG$signal: $(cat stderr)"
  expect_nothing_left "SIG$signal"
done

# LIBSVM's own models, and its own predictions for sparse rows with more features than the model.
if command -v svm-train >/dev/null && command -v svm-predict >/dev/null; then
  awk 'BEGIN {
    seed = 7
    for (row = 0; row < 240; ++row) {
      line = ""
      for (d = 1; d <= 4; ++d) {
        seed = (seed * 16807) % 2147483647
        x[d] = seed / 1073741823.5 - 1
        if (d < 4 || row >= 120) line = line " " d ":" x[d]
      }
      label = x[1] * x[2] > 0.1 ? 2 : x[3] > 0 ? 7 : -1
      print label line > (row < 120 ? "train.svm" : "test.svm")
    }
  }'
  for options in '-s 0' '-s 1 -n 0.2' '-s 3'; do
    svm-train -q -g 0.8 $options train.svm trained.model
    svm-predict test.svm trained.model expected >/dev/null
    expect 0 "predict svm-train $options" "$bisector" predict trained.model test.svm
    tail -n +2 stdout | paste -d, - expected |
      awk -F, '{ d = $2 - $NF } d > 1e-5 || d < -1e-5 { bad = 1 } END { exit bad || NR != 120 }' ||
      fail "svm-train $options: not svm-predict's predictions"
    expect 0 "explain svm-train $options" "$bisector" explain -q trained.model test.svm -o out.csv
    head -n 1 out.csv | grep -q 'x1,x2,x3,x4,remainder,outside,tie$' || fail "svm-train $options: $(head -n 1 out.csv)"
    rm -f out.csv
  done
fi

# Content that does not reach the disk is a failure, and leaves no file behind.

expect 1 "a disk that fails" env LD_PRELOAD="$failing_sync" "$bisector" convert trained.model lost.npz
grep -q 'cannot write lost.npz: Input/output error' stderr || fail "a disk that fails: $(cat stderr)"
[ ! -e lost.npz ] || fail "a disk that fails: lost.npz is there"
expect_nothing_left "a disk that fails"

[ $failures -eq 0 ] || exit 1
echo 'all checks passed'
