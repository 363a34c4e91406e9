/**
 * Shell functions that recognise processes again: a pid alone may have been given to another one since.
 *
 * `boot_id` sets `boot`; `started PID` sets `start` and fails when there is no such process or it is a zombie;
 * `lives PID START BOOT` says whether that very process is still there.
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
`;
