#!/bin/sh
# Verify a game that a git host keeps: sh check.sh ADDRESS
# Needs git and pbem, no key and no seat. Ends with 0 and a verdict, or with 1 and the first bad entry.
set -eu
address=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# A clone of its own: a host's checkout carries settings and tokens that pbem does not let git use.
git clone --quiet --single-branch --branch main -- "$address" "$place/game"
PBEM_HOME="$place/home" pbem verify "$place/game"
