import { processFunctions } from './process-functions.ts';

/** Where every operator looks, whatever it calls the machine and wherever it keeps its own files. Gone at a reboot. */
export const hostFolder = '/run/boathook';

/** The default location of the nodes' folders in all versions. */
export const usualStateDir = '/var/lib/boathook';

/**
 * Prints the paths that are still there, one a line, each ended by a NUL. Arguments: `yes` to remove our own first, the
 * folders of the node, of its cluster and of all, the host's folder, and other paths to look for. A node that somebody
 * works on is left alone, and so is one where a script runs.
 */
export const remainsProgram = `${processFunctions}
purge=$1 node=$2 cluster=$3 state=$4 host=$5
shift 5
if [ "$purge" = yes ] && [ ! -e "$node/lease" ]; then
  boot_id
  running=
  for work in "$node"/*; do if still_runs "$work"; then running=yes; fi; done
  [ -n "$running" ] || rm -rf "$node"
  rmdir "$cluster" "$state" 2>/dev/null
  used=
  for each in "$host"/claim.* "$host"/job.*; do [ ! -e "$each" ] || used=yes; done
  if [ -z "$used" ]; then rm -f "$host/now" "$host/mutex"; rmdir "$host" 2>/dev/null; fi
fi
for path in "$node" "$host" "$@"; do
  if [ -e "$path" ] || [ -L "$path" ]; then printf '%s\\000' "$path"; fi
done
`;

/**
 * The host's lease: one operation at a time works on a machine, under whatever names. Each agent has a claim, a file
 * `claim.PID-START` with `pid start boot cluster operation holder`; agents of one operation do not mind each other,
 * since a file of machines may name one machine twice. Like the node's lease, a claim is worth as much as its agent,
 * and one that nobody touches is taken over.
 *
 * `claim_host` makes a claim or prints `L busy AGE CLUSTER OPERATION holder` and ends. Leases of nodes are respected
 * as well: earlier versions have no claims. `left_running` prints `J SINCE PID CLUSTER NODE OPERATION STEP FINGERPRINT
 * FOLDER` for each job of another operation that still runs. Without a host's folder, on the operator's own machine,
 * both do nothing.
 */
export const hostFunctions = `
usual=${usualStateDir}
[ "$state" != "$usual" ] || usual=
# Untouched for too long, by the clock of the file system.
untouched() {
  age=$(($(stat -c %Y "$host/now") - $(stat -c %Y "$1" 2>/dev/null || echo 0)))
  [ "$age" -ge "$stale" ]
}
busy() {
  printf 'L busy %s %s\\n' "$age" "$1"
  exit 0
}
write_claim() {
  printf '%s\\n' "$claimed" >"$claim" || exit 65
}
# Sets "rival" to another operation that works on this host. Claims that are worth nothing are removed.
find_rival() {
  rival=
  for each in "$host"/claim.*; do
    agent= born= then= cluster= operation= holder=
    { read -r agent born then cluster operation holder <"$each"; } 2>/dev/null || continue
    [ "$cluster $operation" != "$scope" ] || continue
    if lives "$agent" "$born" "$then" && ! untouched "$each"; then rival="$cluster $operation $holder"; return; fi
    rm -f "$each"
  done
  for each in "$state"/*/*/lease \${usual:+$usual/*/*/lease}; do
    [ "$each" != "$dir/lease" ] || continue
    theirs= agent= born= then= by= holder=
    { read -r theirs agent born then by holder <"$each"; } 2>/dev/null || continue
    [ "$by" != "$run" ] && [ ! -e "$host/claim.$agent-$born" ] || continue
    lives "$agent" "$born" "$then" && ! untouched "$each" || continue
    node=\${each%/lease}
    cluster=\${node%/*}
    rival="\${cluster##*/} - $holder"
    return
  done
}
# The claim is written before others are looked for, so of two agents that come at once at least one sees the other.
# When both do, they try again one after the other.
claim_host() {
  claim=
  [ -n "$host" ] || return 0
  { [ -d "$host" ] || mkdir -p "$host"; } && : >"$host/now" || exit 65
  started $$
  claim=$host/claim.$$-$start claimed="$$ $start $boot $scope $told"
  write_claim
  find_rival
  [ -n "$rival" ] || return 0
  rm -f "$claim"
  exec 8>"$host/mutex"
  flock 8 2>/dev/null
  find_rival
  if [ -z "$rival" ]; then write_claim; find_rival; fi
  if [ -n "$rival" ]; then rm -f "$claim"; busy "$rival"; fi
  exec 8>&-
}
left_running() {
  [ -n "$host" ] || return 0
  seen='|'
  for each in "$state"/*/*/*/*/runner.pid \${usual:+$usual/*/*/*/*/runner.pid} "$host"/job.*/runner.pid; do
    place=\${each%/runner.pid}
    if [ ! -s "$each" ] || [ -e "$place/exit" ]; then continue; fi
    alive "$each" || alive "$place/pid" || continue
    cluster= operation=
    if [ -s "$place/about" ]; then read -r cluster node operation rest <"$place/about"; fi
    [ "$cluster $operation" != "$scope" ] || continue
    ( left_job ) && seen="$seen$place|"
  done
}
left_job() {
  cd -P "$place" 2>/dev/null || return 1
  case $seen in *"|$PWD|"*) return 1 ;; esac
  step=\${PWD##*/} rest=\${PWD%/*}
  operation=\${rest##*/} rest=\${rest%/*}
  node=\${rest##*/} rest=\${rest%/*}
  cluster=\${rest##*/} finger=-
  if [ -s about ]; then read -r cluster node operation step finger <about; fi
  [ "$cluster $operation" != "$scope" ] || return 1
  read -r pid rest <runner.pid
  printf 'J %s %s %s %s %s %s %s %s\\n' "$(stat -c %Y runner.pid)" "$pid" "$cluster" "$node" "$operation" "$step" "$finger" "$PWD"
}
`;
