/**
 * Shell functions that recognise processes again: a pid alone may have been given to another one since.
 *
 * `boot_id` sets `boot`; `started PID` sets `start` and fails when there is no such process or it is a zombie;
 * `lives PID START BOOT` says whether that very process is still there, `alive FILE` the same of the one in a file, and
 * `still_runs FOLDER` whether a script of that operation runs.
 */
export const processFunctions = `
boot_id() {
  boot=
  { read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null
}
started() {
  start=
  { read -r line </proc/"$1"/stat; } 2>/dev/null || return 1
  line=\${line##*) }
  set -- $line
  [ "$1" != Z ] || return 1
  shift 19
  start=$1
}
lives() {
  [ -n "$1" ] && [ "$3" = "$boot" ] && started "$1" && [ "$start" = "$2" ]
}
alive() {
  pid= born= then=
  if [ -s "$1" ]; then read -r pid born then <"$1"; fi
  lives "$pid" "$born" "$then"
}
# A script that runs below would lose its result, and its operator would start it again.
still_runs() {
  for each in "$1"/*/runner.pid; do
    place=\${each%/runner.pid}
    if [ ! -s "$each" ] || [ -e "$place/exit" ]; then continue; fi
    if alive "$each" || alive "$place/pid"; then return 0; fi
  done
  return 1
}
`;
