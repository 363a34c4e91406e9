#!/bin/sh
# Runs a script of this project with the right Node: sh scripts/with-node.sh scripts/check.ts [arguments]
set -eu
root=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/scripts/find-node.sh"
cd -- "$root"
exec "$node" "$@"
