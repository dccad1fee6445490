#!/bin/bash
# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
#
# nsys_reads_export.sh SEXTANT COMPARE
#
# Exports every database of $SEXTANT_CORPUS/nsys-sqlite from its report, lets the real nsys ($NSYS) make of the export all tables that
# stand in the corpus's folder `reference`, and compares them (COMPARE is golden_csv_compare). Exit 77 (skipped) without one of the two.
set -u
sextant=$(realpath "$1")
compare=$(realpath "$2")
corpus=${SEXTANT_CORPUS:-}/nsys-sqlite
if [ ! -d "$corpus/reference" ]; then
  echo "skipped: SEXTANT_CORPUS does not name a folder with nsys-sqlite/reference"
  exit 77
fi
if [ ! -x "${NSYS:-}" ]; then
  echo "skipped: NSYS does not name the real nsys"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/empty" && cd "$work/empty" || exit 1 # nsys runs scripts that lie in its folder

total=0
alike=0

# check VERB NAME REFERENCE...: all tables of one database by one run of nsys
check() {
  local verb=$1 name=$2 separator=$3 reports=() reference report
  shift 3
  for reference in "$@"; do
    report=$(basename "$reference" .csv)
    reports+=("${report#"$name$separator"}")
  done
  "$NSYS" "$verb" -q -f csv -o "$work/got" -r "$(
    IFS=,
    echo "${reports[*]}"
  )" "$work/$name.sqlite" >"$work/log" 2>&1
  for i in "${!reports[@]}"; do
    total=$((total + 1))
    if "$compare" "${@:i+1:1}" "$work/got_${reports[i]}.csv" >"$work/why"; then
      alike=$((alike + 1))
    else
      echo "$name $verb ${reports[i]}: $(head -c 400 "$work/why") $(grep -i error "$work/log" | head -1)"
    fi
  done
  rm -f "$work"/got*
}

for database in "$corpus"/*.sqlite; do
  name=$(basename "$database" .sqlite)
  if ! "$sextant" export -q -t sqlite --no-cache -o "$work/$name.sqlite" "$database"; then
    echo "$name: it cannot be exported"
    total=$((total + 1))
    continue
  fi
  tables=("$corpus/reference/${name}_"*.csv)
  rules=("$corpus/reference/$name.rules_"*.csv)
  [ -e "${tables[0]}" ] && check stats "$name" _ "${tables[@]}"
  [ -e "${rules[0]}" ] && check analyze "$name" .rules_ "${rules[@]}"
  rm -f "$work/$name.sqlite"
done
echo "$alike of $total tables that nsys makes of our exports are those that it makes of its own"
[ "$total" -gt 0 ] && [ "$alike" = "$total" ]
