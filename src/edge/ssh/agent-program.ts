import { followFunctions } from './follow-program.ts';
import { hostFunctions } from './host-program.ts';
import { processFunctions } from './process-functions.ts';

/**
 * The agent of a node: takes the node's lease, holds it as long as it runs, and starts and follows jobs meanwhile.
 * All of a node's work goes through this one program: opening a channel costs a server more than a job does.
 *
 * Arguments: the node's folder, the run's id, the holder's text, after how many seconds an untouched lease is stale,
 * the operation's folder, the folder of all nodes, and the place and scope of the host's lease (host-program.ts). It
 * prints `F boot machine`, then `L taken COUNTER [the stale holder]`, `L held AGE holder` or `L busy …`.
 * After that, on its input: `t` touches the lease (`L lost` when it is no longer ours); `j SIZE` and so many bytes are
 * a program to run beside, which nobody on the machine can read from the process list; `a FOLDER` lets the
 * follower of the job there go on; `q` releases; `d` removes the operation's folder as well, unless a job of it still
 * runs. When the input ends, because the operator died, the lease is released, and jobs go on.
 *
 * A lease is worth as much as its agent: when that is gone, with its machine or without, the lease is taken over at
 * once. An agent that lives and does not touch it has lost its operator without knowing, and is given some time. Ages
 * are differences of two files' times, so that the clock of the file system's server counts alone.
 */
export const agentProgram = `${processFunctions}
${followFunctions}
dir=$1 run=$2 told=$3 stale=$4 work=$5 state=$6 host=$7 scope=$8
umask 077
{ [ -d "$work" ] || mkdir -p "$work"; } && cd "$dir" || exit 65
boot_id
arch=
{ read -r arch </proc/sys/kernel/arch; } 2>/dev/null || arch=$(uname -m)
printf 'F %s %s\\n' "$boot" "$arch"
started $$
mine="$$ $start $boot $2 $3"
draft=lease.$run
old=
${hostFunctions}
claim_host
holder_of() {
  theirs=0 agent= born= then= holder=
  { [ ! -s lease ] || read -r theirs agent born then holder <lease; } 2>/dev/null
  whole="$theirs $agent $born $then $holder"
}
raise() {
  last=0
  if [ -s counter ]; then read -r last <counter; fi
  if [ "$theirs" -gt "$last" ]; then last=$theirs; fi
  counter=$((last + 1))
}
create() {
  set -C
  { printf '%s %s\\n' "$counter" "$mine" >lease; } 2>/dev/null
  created=$?
  set +C
  return $created
}
aged() {
  age=$(($(stat -c %Y "$draft") - $(stat -c %Y "$1" 2>/dev/null || echo 0)))
  [ "$age" -ge "$stale" ]
}
take() {
  holder_of
  raise
  create && return 0
  holder_of
  seen=$whole
  printf '%s %s\\n' "$counter" "$mine" >"$draft" || exit 65
  case $holder in
    "$run "*) ;;
    *) if ! aged lease && { [ -z "$holder" ] || lives "$agent" "$born" "$then"; }; then
         # Gone, or just being written.
         if [ ! -s lease ]; then sleep 0.1; return 1; fi
         printf 'L held %s %s\\n' "$age" "$holder"
         rm -f "$draft" \${claim:+"$claim"}
         exit 0
       fi ;;
  esac
  steal
}
steal() {
  if mkdir stealing 2>/dev/null; then
    holder_of
    if [ "$whole" = "$seen" ]; then
      raise
      printf '%s %s\\n' "$counter" "$mine" >"$draft"
      mv -f "$draft" lease
      case $holder in "$run "*) ;; *) old=$holder ;; esac
      rmdir stealing
      return 0
    fi
    rmdir stealing
  elif aged stealing; then
    rmdir stealing 2>/dev/null
  fi
  sleep 0.1
  return 1
}
until take; do :; done
printf '%s\\n' "$counter" >counter
is_mine() {
  holder_of
  [ "$whole" = "$counter $mine" ]
}
left_running
printf 'L taken %s %s\\n' "$counter" "$old"
gone=
while read -r word size; do
  case $word in
    a) echo go 1<>"$size/bell" ;;
    t) if is_mine && { [ -z "$claim" ] || [ -e "$claim" ]; }; then touch lease \${claim:+"$claim"}; else printf 'L lost\\n'; exit 0; fi ;;
    j) program=$(dd bs=65536 count="$size" iflag=count_bytes,fullblock status=none; echo .)
       # Cut short by a broken connection: nothing of it is run.
       case $program in *'# end'.) ;; *) break ;; esac
       ( eval "\${program%.}" ) </dev/null &
       program= ;;
    d) gone=$work; break ;;
    *) break ;;
  esac
done
set -- \${claim:+"$claim"}
if [ -n "$gone" ] && still_runs "$gone"; then gone=; fi
if is_mine; then set -- "$@" lease \${gone:+"$gone"}; fi
if [ $# -gt 0 ]; then rm -rf "$@"; fi
printf 'L released\\n'
`;

/** A program as the agent reads it; the end shows that it came whole. */
export function forAgent(program: string): Uint8Array {
  const body = new TextEncoder().encode(`${program}\n# end`);
  const head = new TextEncoder().encode(`j ${body.length}\n`);
  return Buffer.concat([head, body]);
}
