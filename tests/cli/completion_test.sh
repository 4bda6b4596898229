#!/bin/sh
# The completion in bash and zsh, and the man pages. What is not installed is not tried.
# Usage: completion_test.sh BISECTOR WRITE_MAN_PAGES
set -u
bisector=$1 write_man_pages=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
touch data.csv model.npz
failures=0

# expect SHELL WORDS FOUND: FOUND is among what the shell offers behind WORDS.
expect() {
  printf '%s\n' "$found" | grep -qxF -- "$3" || {
    echo "FAILED: $1, \"$2\": no $3 among: $(printf '%s' "$found" | tr '\n' ' ')"
    failures=$((failures + 1))
  }
}
refuse() {
  printf '%s\n' "$found" | grep -qxF -- "$3" && {
    echo "FAILED: $1, \"$2\": $3 is offered"
    failures=$((failures + 1))
  }
}

"$bisector" completion >bash_script

in_bash() {
  timeout 30 bash -c '
    source ./bash_script
    COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    if [[ $1 == *" " ]]; then COMP_WORDS+=(""); COMP_CWORD=$((COMP_CWORD + 1)); fi
    _bisector
    printf "%s\n" "${COMPREPLY[@]}"' bash "$1"
}

for shell in bash; do
  found=$(in_$shell 'bisector ')
  expect $shell 'bisector ' explain
  found=$(in_$shell 'bisector exp')
  expect $shell 'bisector exp' explain
  refuse $shell 'bisector exp' train
  found=$(in_$shell 'bisector explain --me')
  expect $shell 'bisector explain --me' --method
  refuse $shell 'bisector explain --me' --holdout
  found=$(in_$shell 'bisector explain --format js')
  expect $shell 'bisector explain --format js' json
  expect $shell 'bisector explain --format js' jsonl
  found=$(in_$shell 'bisector explain mod')
  expect $shell 'bisector explain mod' model.npz
  found=$(in_$shell 'bisector train --ho')
  expect $shell 'bisector train --ho' --holdout
done

# zsh completes in a terminal only, and zpty is one. What it shows is taken apart into words.
cat >zsh_terminal <<'ZSH'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT=; autoload -U compinit bashcompinit; compinit -u -d $PWD/dump; bashcompinit; source $PWD/bash_script; stty rows 500 cols 200; LISTMAX=9999; echo RE''ADY"
zpty -r shell line '*READY*'
zpty -w -n shell "$1"$'\t\t'
for try in {1..20}; do
  sleep 0.2
  while zpty -r -t shell line; do print -rn -- "$line"; done
done
zpty -d shell
ZSH
in_zsh() {
  timeout 60 zsh -f zsh_terminal "$1" | sed 's/\x1b\[[0-9;?]*[a-zA-Z]/ /g' | tr -s ' \r\a\n' '\n'
}
if command -v zsh >/dev/null; then
  found=$(in_zsh 'bisector explain --format js')
  expect zsh 'bisector explain --format js' jsonl
  found=$(in_zsh 'bisector explain --me')
  expect zsh 'bisector explain --me' --method
else
  echo 'zsh is not there'
fi

if command -v groff >/dev/null && command -v help2man >/dev/null; then
  "$write_man_pages" "$bisector" man1 || { echo 'FAILED: no man pages'; failures=1; }
  for page in bisector bisector-explain bisector-train; do
    warnings=$(groff -man -Kutf8 -Tutf8 -ww man1/$page.1 2>&1 >struck)
    sed 's/.\x08//g' struck >rendered # bold is struck twice
    [ -z "$warnings" ] || { echo "FAILED: man page $page: $warnings"; failures=1; }
    grep -Eq "^ *$page +- " rendered || { echo "FAILED: man page $page has no summary"; failures=1; }
  done
  grep -q -- '--holdout' rendered || { echo 'FAILED: man page of train without its options'; failures=1; }
else
  echo 'groff or help2man is not there'
fi

[ "$failures" -eq 0 ] || exit 1
echo 'all checks passed'
