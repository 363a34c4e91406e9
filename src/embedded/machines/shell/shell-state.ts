import type { Millis } from '#base/time.ts';
import type { SimulatedFiles } from '#embedded/machines/files/simulated-files.ts';
import type { ShellCommand } from './syntax.ts';

/** What is left to read; commands that share it take their parts one after the other. */
export type ShellInput = { rest: string };

/** Where the output of a command goes, and what it reads. */
export type ShellIo = {
  readonly input: ShellInput;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

export type ProgramCall = {
  /** The program first. */
  readonly words: readonly string[];
  readonly io: ShellIo;
  readonly state: ShellState;
  readonly machine: ShellMachine;
};

/** Returns the exit code. */
export type ShellProgram = (call: ProgramCall) => number | Promise<number>;

/** What scripts find on a machine. */
export type ShellMachine = {
  readonly hostname: string;
  readonly files: SimulatedFiles;
  readonly programs: ReadonlyMap<string, ShellProgram>;
  /** Runs a program that is not among them. */
  readonly otherProgram: ShellProgram;
  /** Runs a file of the machine, as a process of its own. */
  readonly runFile: ShellProgram;
  /** Seconds since 1970. */
  readonly now: () => number;
  /** How long a program takes that is not run; undefined: as long as usual. */
  readonly programSpan?: (command: string) => Millis | undefined;
  /** Rejects when the script is ended meanwhile. */
  readonly sleep: (span: Millis) => Promise<void>;
  /** Lets other work go on; rejects when the script is ended. */
  readonly breathe: () => Promise<void>;
};

/** The variables and settings of a script; a subshell has a copy. */
export type ShellState = {
  readonly variables: Map<string, string>;
  readonly functions: Map<string, ShellCommand>;
  /** `$0`, `$1`, … */
  args: readonly string[];
  folder: string;
  /** `set -e` */
  endsOnFailure: boolean;
  /** How many conditions surround the command: a failure in one does not end the script. */
  conditions: number;
  /** `$?` */
  code: number;
};

export const copyOfState = (state: ShellState): ShellState => ({
  ...state,
  variables: new Map(state.variables),
  functions: new Map(state.functions),
});

/** `exit`, `return`, `break` and `continue`, on their way to where they have an effect. */
export class ShellJump extends Error {
  readonly how: 'exit' | 'return' | 'break' | 'continue';
  readonly code: number;
  constructor(how: ShellJump['how'], code: number) {
    super(`${how} ${code}`);
    this.how = how;
    this.code = code;
  }
}
