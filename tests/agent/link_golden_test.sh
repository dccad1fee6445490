#!/bin/sh
# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
#
# link_golden_test.sh AGENT [KIND]: what the agent needs, exports and imports, against the lists beside this script.
set -eu
agent=$1
kind=${2:+_$2}
here=$(dirname "$0")
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$*" >&2
  failed=1
}

readelf -dW "$agent" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort >"$work/needed"
diff -u "$here/golden/needed.txt" "$work/needed" || fail "libraries needed differ"

nm -D --defined-only "$agent" | awk '{print $3}' | LC_ALL=C sort >"$work/exports"
diff -u "$here/golden/exports$kind.txt" "$work/exports" || fail "exported symbols differ"

# strong imports must exist in every C library; weak ones may be missing
nm -D --undefined-only "$agent" | awk '$1 == "U" {sub(/@.*/, "", $2); print $2}' | LC_ALL=C sort -u >"$work/imports"
diff -u "$here/golden/imports$kind.txt" "$work/imports" || fail "imported symbols differ"

objdump -T "$agent" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -1 >"$work/newest"
printf '%s\n2.28\n' "$(cat "$work/newest")" | sort -VC || fail "needs glibc $(cat "$work/newest"), newer than 2.28"

flags=$(readelf -dW "$agent")
echo "$flags" | grep -q 'BIND_NOW' || fail "not linked with -z now"
echo "$flags" | grep -q 'NODELETE' || fail "not linked with -z nodelete"
echo "$flags" | grep -q 'TEXTREL' && fail "has text relocations"
readelf -lW "$agent" | grep -q 'GNU_RELRO' || fail "not linked with -z relro"
readelf -lW "$agent" | grep 'GNU_STACK' | grep -q 'RWE' && fail "wants an executable stack"
tls=$(readelf -lW "$agent" | awk '$1 == "TLS" {print $6}')
[ $((tls)) -le 64 ] || fail "$tls bytes of thread-local storage: too much for a library that is opened late"
nm -DC "$agent" | grep -E 'operator (new|delete)|__cxa_(throw|allocate|guard)|std::' && fail "parts of the C++ runtime"
nm -D "$agent" | grep -wE 'malloc|calloc|realloc|free' && fail "uses the allocator"

if command -v musl-gcc >/dev/null 2>&1; then
  printf 'int main(void) { return 5; }\n' >"$work/m.c"
  musl-gcc -o "$work/m" "$work/m.c"
  code=0
  LD_PRELOAD=$agent SEXTANT_RUN=$work "$work/m" >"$work/out" 2>&1 || code=$?
  [ $code -eq 5 ] && [ ! -s "$work/out" ] || fail "a musl program is harmed: exit code $code, $(cat "$work/out")"
fi
exit $failed
