import { millis, type Millis } from '#base/time.ts';
import { filePrograms } from '#embedded/machines/programs/file-programs.ts';
import { otherProgram, standIns } from '#embedded/machines/programs/stand-ins.ts';
import { systemPrograms } from '#embedded/machines/programs/system-programs.ts';
import { textPrograms } from '#embedded/machines/programs/text-programs.ts';
import { runScript } from '#embedded/machines/shell/run-script.ts';
import type { ShellIo, ShellMachine, ShellState } from '#embedded/machines/shell/shell-state.ts';
import { chooseScript } from './choose-script.ts';
import { secondsNow, type MachineParts } from './machine-parts.ts';

const programs = new Map([...textPrograms, ...filePrograms, ...systemPrograms, ...standIns]);

/** How long a script takes that is not run. */
const standInSpan = millis(500);

export type TextRun = {
  /** `$0` and the arguments. */
  readonly args: readonly string[];
  readonly folder: string;
  readonly variables: ReadonlyMap<string, string>;
};

/** Runs the text of a script on a simulated machine and returns its exit code. Rejects when the signal is aborted. */
export async function runText(
  machine: MachineParts,
  text: string,
  { args, folder, variables }: TextRun,
  { io, signal }: { readonly io: ShellIo; readonly signal: AbortSignal },
): Promise<number> {
  const chosen = chooseScript(text);
  const around = shellMachine(machine, signal);
  if (chosen.type === 'stand-in') {
    io.err(`[simulated: ${args[0] ?? 'the script'} was not run (${chosen.why}) and counts as successful]\n`);
    await around.sleep(standInSpan);
    return 0;
  }
  const state: ShellState = {
    variables: new Map([['PATH', '/usr/local/bin:/usr/bin:/bin'], ['HOME', '/root'], ...variables]),
    functions: new Map(),
    args,
    folder,
    endsOnFailure: false,
    conditions: 0,
    code: 0,
  };
  try {
    return await runScript(chosen.script, state, io, around);
  } catch (error) {
    signal.throwIfAborted();
    io.err(`[simulated: the script broke off: ${error instanceof Error ? error.message : String(error)}]\n`);
    return 2;
  }
}

function shellMachine(machine: MachineParts, signal: AbortSignal): ShellMachine {
  return {
    hostname: machine.hostname,
    files: machine.files,
    programs,
    otherProgram,
    now: () => secondsNow(machine),
    sleep: (span: Millis) => machine.clock.sleep(span, signal),
    breathe: async () => {
      await new Promise<void>((resolve) => machine.tasks.soon(resolve));
      signal.throwIfAborted();
    },
  };
}
