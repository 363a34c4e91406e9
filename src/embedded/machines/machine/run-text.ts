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
  /** Everything in it takes so many times as long; 0: nothing takes time. */
  readonly slowness?: number;
};

/** Runs the text of a script on a simulated machine and returns its exit code. Rejects when the signal is aborted. */
export async function runText(
  machine: MachineParts,
  text: string,
  { args, folder, variables, slowness = 1 }: TextRun,
  { io, signal }: { readonly io: ShellIo; readonly signal: AbortSignal },
): Promise<number> {
  const around = shellMachine(machine, { slowness, signal });
  const usual = [
    ['PATH', '/usr/local/bin:/usr/bin:/bin'],
    ['HOME', '/root'],
  ] as const;
  try {
    return await runChosen(text, { args, folder, variables: new Map([...usual, ...variables]) }, io, around);
  } catch (error) {
    signal.throwIfAborted();
    io.err(`[simulated: the script broke off: ${error instanceof Error ? error.message : String(error)}]\n`);
    return 2;
  }
}

async function runChosen(
  text: string,
  { args, folder, variables }: TextRun,
  io: ShellIo,
  around: ShellMachine,
): Promise<number> {
  const chosen = chooseScript(text);
  if (chosen.type === 'stand-in') {
    io.err(`[simulated: ${args[0] ?? 'the script'} was not run (${chosen.why}) and counts as successful]\n`);
    await around.sleep(standInSpan);
    return 0;
  }
  const state: ShellState = {
    variables: new Map(variables),
    functions: new Map(),
    args,
    folder,
    endsOnFailure: false,
    conditions: 0,
    code: 0,
  };
  return runScript(chosen.script, state, io, around);
}

/** Scripts that call each other without end are ended. */
const deepestFile = 20;

function shellMachine(
  machine: MachineParts,
  { slowness, signal }: { readonly slowness: number; readonly signal: AbortSignal },
): ShellMachine {
  let depth = 0;
  const around: ShellMachine = {
    hostname: machine.hostname,
    files: machine.files,
    programs,
    otherProgram,
    now: () => secondsNow(machine),
    ...(machine.programSpan !== undefined && { programSpan: machine.programSpan }),
    sleep: (span: Millis) =>
      slowness === 0 ? Promise.resolve() : machine.clock.sleep(millis(span * slowness), signal),
    breathe: async () => {
      await new Promise<void>((resolve) => machine.tasks.soon(resolve));
      signal.throwIfAborted();
    },
    async runFile({ words, io, state }) {
      const [name = ''] = words;
      if (depth >= deepestFile) {
        io.err(`${name}: scripts call each other too deeply\n`);
        return 126;
      }
      depth += 1;
      try {
        const text = machine.files.read(name, state.folder) ?? '#!/bin/large-binary\n';
        return await runChosen(
          text,
          { args: words, folder: state.folder, variables: state.variables },
          io,
          around,
        );
      } finally {
        depth -= 1;
      }
    },
  };
  return around;
}
