import { processFunctions } from './process-functions.ts';
import { quote, quoteAll } from './quote.ts';

/** The settings of a job's runner; none of them is secret. */
export type RunnerSettings = {
  /** Found in the environment of every process that the job leaves behind. */
  readonly marker: string;
  /** Absolute path, or one that begins with `./` in the job's work folder. */
  readonly words: readonly string[];
  /** Undefined: the job's work folder. */
  readonly cwd: string | undefined;
  /** Undefined: none. */
  readonly timeoutSeconds: number | undefined;
  readonly graceSeconds: number;
  /** Bytes kept from the beginning of each stream, and from its end when there is more. */
  readonly outputLimit: number;
  readonly tailLimit: number;
  /** The runner refuses when the node's counter has advanced. */
  readonly counter: number;
  readonly counterFile: string;
  /** A link to the job's folder while it runs, by which jobs are found. */
  readonly link?: string | undefined;
};

/** The name of the environment variable that marks a job's processes. */
const markerName = 'BOATHOOK_JOB';

/**
 * The runner: a session of its own that starts the job in another, captures what it prints, ends it at the deadline
 * and writes down how it ended. It needs nobody: the operator may come and go.
 *
 * It stays in its folder by the current directory, never by name: a runner that comes too late, after the folder was
 * given up and made anew, must not find the new one. It starts as few processes as it can, since many nodes may be
 * one machine, and a process costs more than everything else here.
 */
export const runnerProgram = (settings: RunnerSettings): string => `${processFunctions}
${settingLines(settings)}
${captureFunctions(settings)}
${endFunctions}
umask 077
boot_id
started $$
printf '%s %s %s\\n' $$ "$start" "$boot" >runner.pid
now=0
if [ -r "$counter_file" ]; then read -r now <"$counter_file"; fi
if [ "$now" -gt "$counter" ]; then note 'outcome=refused'; exit 0; fi
if [ -n "$link" ]; then ln -sfn "$PWD" "$link" 2>/dev/null; fi

why=
trap 'why=cancelled' TERM
trap 'why=timed-out' USR1
trap '' HUP
capture stdout <out.pipe >>stdout &
capture stderr <err.pipe >>stderr &
(
${jobLines(settings)}
) </dev/null >out.pipe 2>err.pipe &
child=$!
guard=
if [ -n "$timeout" ]; then
  (
    trap 'kill "$nap" 2>/dev/null; exit 0' TERM
    sleep "$timeout" & nap=$!
    wait "$nap"
    # Once more every second: a signal between two commands of the runner may be missed.
    while kill -s USR1 $$ 2>/dev/null; do sleep 1 & nap=$!; wait "$nap"; done
  ) </dev/null >/dev/null 2>&1 &
  guard=$!
fi
code=0
if [ -z "$why" ]; then wait "$child"; code=$?; fi
escaped=
if [ -n "$why" ]; then end_job; fi
if [ -n "$guard" ]; then kill "$guard" 2>/dev/null; fi
drain
if [ -z "$why" ] && [ "$code" -ne 0 ]; then explain >>stderr; fi
note "outcome=\${why:-exited} code=$code escaped=$escaped"
`;

/**
 * The job's first moments: it writes down its own pid, which becomes its group's, takes its environment and goes. A
 * file that was delivered may lack the execute bit.
 */
const jobLines = ({ marker, cwd, words }: RunnerSettings): string => `
  read -r self rest </proc/self/stat
  started "$self"
  printf '%s %s %s\\n' "$self" "$start" "$boot" >pid
  umask 022
  trap - HUP TERM USR1
  . ./env
  export ${markerName}=${quote(marker)}
  cd ${cwd === undefined ? './work' : quote(cwd)} || exit 126
  set -- ${quoteAll(words)}
  case $1 in /*) [ -x "$1" ] || chmod u+x "$1" ;; esac 2>/dev/null
  exec setsid "$@"`;

const settingLines = (settings: RunnerSettings): string =>
  [
    `marker=${quote(`${markerName}=${settings.marker}`)}`,
    `timeout=${settings.timeoutSeconds ?? ''}`,
    `grace=${settings.graceSeconds}`,
    `counter=${settings.counter}`,
    `counter_file=${quote(settings.counterFile)}`,
    `link=${settings.link === undefined ? '' : quote(settings.link)}`,
    `program=${quote(programOf(settings))}`,
  ].join('\n');

/** Where the runner finds it, which stays in the job's folder. */
const programOf = ({ words: [program = ''] }: RunnerSettings): string =>
  program.startsWith('./') ? `work/${program.slice(2)}` : program;

/**
 * The beginning goes to the file as it comes, up to the kernel's limit for files; what comes later goes through a
 * buffer that keeps its end. However much is printed, the job never waits and nothing grows.
 */
const captureFunctions = ({ outputLimit, tailLimit }: RunnerSettings): string => `
capture() {
  if ! ( ulimit -f ${Math.max(1, Math.ceil(outputLimit / 512))}; exec cat ) 2>/dev/null; then
    printf '\\n[boathook: more than ${outputLimit} bytes were printed; what follows is the last of it]\\n'
    tail -c ${tailLimit}
    cat >/dev/null
  fi 2>/dev/null
  : >"$1.done"
}
`;

const endFunctions = `
# The kernel calls a script "not found" when it means the program in its first line.
explain() {
  first=$(head -c 256 "$program" 2>/dev/null | head -n 1 | tr -d '\\000')
  case $first in '#!'*) ;; *) return ;; esac
  asked=\${first#??}
  asked=\${asked#"\${asked%%[! ]*}"}
  case $asked in
    *"$(printf '\\r')")
      printf '[boathook: %s has the line ends of Windows (CRLF), so that no interpreter is found for it: ' "\${program##*/}"
      printf 'convert it, as with: sed -i "s/\\\\r$//" FILE]\\n'
      return ;;
  esac
  asked=\${asked%%[ 	]*}
  if [ ! -e "$asked" ]; then
    printf '[boathook: the interpreter %s of %s is not on this machine: install it, or name another in the first line]\\n' "$asked" "\${program##*/}"
  fi
}
# Whoever follows is woken; nobody need be there.
note() {
  if [ -n "$link" ]; then rm -f "$link"; fi
  printf '%s\\n' "$1" >exit.new && mv exit.new exit
  echo end 1<>bell
}
# Every process that descends from the job as PID:START, also those in other groups and with another environment.
descendants() {
  family=" $child "
  members=
  grown=yes
  while [ -n "$grown" ]; do
    grown=
    for file in /proc/[0-9]*/stat; do
      { read -r stat <"$file"; } 2>/dev/null || continue
      pid=\${stat%% *}
      set -- \${stat##*) }
      case $family in *" $pid "*) continue ;; esac
      case $family in
        *" $2 "*)
          family="$family$pid "
          shift 19
          members="$members $pid:$1"
          grown=yes
          ;;
      esac
    done
  done
}
# TERM to the group, KILL after the grace; then those that left the group: descendants, and what the marker in its
# environment gives away.
end_job() {
  descendants
  kill -s TERM -- "-$child" 2>/dev/null
  tries=0
  while kill -s 0 -- "-$child" 2>/dev/null && [ "$tries" -lt $((grace * 20)) ]; do
    sleep 0.05
    tries=$((tries + 1))
  done
  kill -s KILL -- "-$child" 2>/dev/null
  wait "$child" 2>/dev/null
  code=$?
  for member in $members; do
    pid=\${member%%:*}
    if started "$pid" && [ "$start" = "\${member#*:}" ] && kill -s KILL "$pid" 2>/dev/null; then
      escaped="$escaped,$pid"
    fi
  done
  for round in 1 2 3; do
    found=
    for file in /proc/[0-9]*/environ; do
      case "$(tr '\\000' '\\n' <"$file")" in
        *"$marker"*)
          pid=\${file#/proc/}
          pid=\${pid%/environ}
          kill -s KILL "$pid" && found=$pid && escaped="$escaped,$pid"
          ;;
      esac
    done 2>/dev/null
    [ -n "$found" ] || break
  done
  escaped=\${escaped#,}
}
# A daemon that the job leaves behind may hold its streams open for ever: the captures are waited for, but not long.
drain() {
  tries=0
  while [ ! -e stdout.done ] || [ ! -e stderr.done ]; do
    [ "$tries" -lt 50 ] || break
    sleep 0.02
    tries=$((tries + 1))
  done
}
`;
