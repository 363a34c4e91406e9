# Sourced with $root set. Leaves in $node a Node that can run this project, and names the compile cache.
# The bundled one is started once and remembered, so that later starts pay nothing for the search.

bundled=$root/node_modules/.bin/node
cache=$root/node_modules/.cache
proof=$cache/bundled-node-runs-on

runs_bundled() {
  [ -x "$bundled" ] || return 1
  machine=$(uname -sm)
  known=
  if [ -r "$proof" ]; then read -r known <"$proof" || :; fi
  [ "$known" = "$machine" ] && return 0
  "$bundled" --version >/dev/null 2>&1 || return 1
  { mkdir -p "$cache" && echo "$machine" >"$proof"; } 2>/dev/null || :
}

is_new_enough() {
  version=$(node --version 2>/dev/null) || return 1
  major=${version#v}
  major=${major%%.*}
  [ "$major" -ge 24 ] 2>/dev/null
}

if runs_bundled; then
  node=$bundled
elif is_new_enough; then
  node=node
else
  found=$(node --version 2>/dev/null) || found=
  found=${found:+, and the node on the PATH is $found}
  # A checkout has a lockfile that brings a Node; an installed package has not.
  if [ -e "$root/package-lock.json" ]; then
    remedy="run 'npm ci' in $root, which brings one on Linux, or install Node 24."
  else
    remedy="install it from https://nodejs.org/en/download or with 'nvm install 24', and put it first on the PATH."
  fi
  echo "boathook: needs Node 24 or newer$found; $remedy" >&2
  exit 2
fi

: "${NODE_COMPILE_CACHE=$cache/node-compile}"
export NODE_COMPILE_CACHE
