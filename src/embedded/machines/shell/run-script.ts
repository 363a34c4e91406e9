import { expandFields, expandPattern, expandText, type Expander } from './expand.ts';
import { matchesPattern } from '#embedded/machines/files/pattern.ts';
import { withRedirects } from './redirect.ts';
import { builtins } from './builtins.ts';
import {
  copyOfState,
  ShellJump,
  type ProgramCall,
  type ShellIo,
  type ShellMachine,
  type ShellState,
} from './shell-state.ts';
import type { ShellCommand, ShellList, ShellPipeline, ShellScript } from './syntax.ts';

/** Runs a script to its end and returns its exit code. */
export async function runScript(
  script: ShellScript,
  state: ShellState,
  io: ShellIo,
  machine: ShellMachine,
): Promise<number> {
  try {
    return await new ScriptRun(state, machine, io.err).lists(script, io);
  } catch (error) {
    if (error instanceof ShellJump) return error.code;
    throw error;
  }
}

/** So many commands run before others get their turn. */
const commandsAtATime = 50;

/** Functions that call each other. */
const deepest = 100;

/** More than a script of reason keeps in a variable or sends through a pipe. */
const mostCaptured = 1024 * 1024;

/** Keeps what is printed. */
function captured(): { readonly out: (text: string) => void; readonly text: () => string } {
  let printed = '';
  const out = (text: string): void => void (printed.length < mostCaptured && (printed += text));
  return { out, text: () => printed };
}

class ScriptRun {
  readonly #state: ShellState;
  readonly #machine: ShellMachine;
  readonly #err: ShellIo['err'];
  #commands = 0;
  #depth = 0;
  /** The exit code of the last `$(…)`: that of a command which is nothing but assignments. */
  #captured: number | undefined;

  constructor(state: ShellState, machine: ShellMachine, err: ShellIo['err']) {
    this.#state = state;
    this.#machine = machine;
    this.#err = err;
  }

  async lists(script: ShellScript, io: ShellIo): Promise<number> {
    for (const each of script) await this.#list(each, io);
    return script.length === 0 ? 0 : this.#state.code;
  }

  async #list(list: ShellList, io: ShellIo): Promise<void> {
    const state = this.#state;
    for (const [at, { when, pipeline }] of list.entries()) {
      if ((when === '&&' && state.code !== 0) || (when === '||' && state.code === 0)) continue;
      const isLast = at === list.length - 1;
      const isCondition = !isLast || pipeline.isNegated;
      state.code = isCondition
        ? await this.#asCondition(() => this.#pipeline(pipeline, io))
        : await this.#pipeline(pipeline, io);
      if (isCondition || state.code === 0) continue;
      if (state.endsOnFailure && state.conditions === 0) throw new ShellJump('exit', state.code);
    }
  }

  async #asCondition(act: () => Promise<number>): Promise<number> {
    this.#state.conditions += 1;
    try {
      return await act();
    } finally {
      this.#state.conditions -= 1;
    }
  }

  async #pipeline({ isNegated, commands }: ShellPipeline, io: ShellIo): Promise<number> {
    let { input } = io;
    let code = 0;
    for (const [at, command] of commands.entries()) {
      const isLast = at === commands.length - 1;
      const pipe = captured();
      const out = isLast ? io.out : pipe.out;
      // The parts of a pipeline have a state of their own, except a single one.
      const run = commands.length === 1 ? this : this.#copy();
      code = await run.command(command, { ...io, input, out });
      input = { rest: pipe.text() };
    }
    return isNegated ? Number(code === 0) : code;
  }

  #copy(): ScriptRun {
    return new ScriptRun(copyOfState(this.#state), this.#machine, this.#err);
  }

  /** In a state of its own: an `exit` ends it and nothing else. */
  async #apart(script: ShellScript, io: ShellIo): Promise<number> {
    try {
      return await this.#copy().lists(script, io);
    } catch (error) {
      if (error instanceof ShellJump) return error.code;
      throw error;
    }
  }

  async command(command: ShellCommand, io: ShellIo): Promise<number> {
    if (++this.#commands % commandsAtATime === 0) await this.#machine.breathe();
    if (command.type === 'function') {
      this.#state.functions.set(command.name, command.body);
      return 0;
    }
    const place = { files: this.#machine.files, folder: this.#state.folder };
    const text = (word: Parameters<typeof expandText>[0]): Promise<string> =>
      expandText(word, this.#expander());
    return withRedirects(command.redirects, { ...place, io, text }, (inside) => this.#plain(command, inside));
  }

  async #plain(command: Exclude<ShellCommand, { type: 'function' }>, io: ShellIo): Promise<number> {
    switch (command.type) {
      case 'simple':
        return this.#simple(command, io);
      case 'group':
        return this.lists(command.body, io);
      case 'subshell':
        return this.#apart(command.body, io);
      case 'if':
        for (const { condition, body } of command.branches)
          if ((await this.#asCondition(() => this.lists(condition, io))) === 0) return this.lists(body, io);
        return this.lists(command.otherwise, io);
      case 'while':
        return this.#loop(command, io);
      case 'for':
        return this.#for(command, io);
      case 'case':
        return this.#case(command, io);
    }
  }

  async #case({ subject, branches }: Extract<ShellCommand, { type: 'case' }>, io: ShellIo): Promise<number> {
    const text = await expandText(subject, this.#expander());
    for (const { patterns, body } of branches)
      for (const pattern of patterns)
        if (matchesPattern(text, await expandPattern(pattern, this.#expander()))) return this.lists(body, io);
    return 0;
  }

  async #loop(
    { condition, body, isUntil }: Extract<ShellCommand, { type: 'while' }>,
    io: ShellIo,
  ): Promise<number> {
    let code = 0;
    while (((await this.#asCondition(() => this.lists(condition, io))) === 0) !== isUntil) {
      const end = await this.#round(body, io);
      code = end.code;
      if (end.isOver) break;
    }
    return code;
  }

  async #for({ name, words, body }: Extract<ShellCommand, { type: 'for' }>, io: ShellIo): Promise<number> {
    const values: string[] = [];
    for (const word of words ?? []) values.push(...(await expandFields(word, this.#expander())));
    let code = 0;
    for (const value of words === undefined ? this.#state.args.slice(1) : values) {
      this.#state.variables.set(name, value);
      const end = await this.#round(body, io);
      code = end.code;
      if (end.isOver) break;
    }
    return code;
  }

  async #round(body: ShellScript, io: ShellIo): Promise<{ readonly code: number; readonly isOver: boolean }> {
    try {
      return { code: await this.lists(body, io), isOver: false };
    } catch (error) {
      if (!(error instanceof ShellJump) || (error.how !== 'break' && error.how !== 'continue')) throw error;
      return { code: 0, isOver: error.how === 'break' };
    }
  }

  async #simple(
    { assignments, words }: Extract<ShellCommand, { type: 'simple' }>,
    io: ShellIo,
  ): Promise<number> {
    const state = this.#state;
    const expander = this.#expander();
    const fields: string[] = [];
    this.#captured = undefined;
    for (const word of words) fields.push(...(await expandFields(word, expander)));
    const before = assignments.map(({ name }) => [name, state.variables.get(name)] as const);
    for (const { name, value } of assignments) state.variables.set(name, await expandText(value, expander));
    if (fields.length === 0) return this.#captured ?? 0;
    const code = await this.#call({ words: fields, io, state, machine: this.#machine });
    for (const [name, value] of before)
      if (value === undefined) state.variables.delete(name);
      else state.variables.set(name, value);
    return code;
  }

  async #call(call: ProgramCall): Promise<number> {
    const [name = ''] = call.words;
    const own = this.#state.functions.get(name);
    if (own !== undefined) return this.#function(own, call);
    const builtin = builtins.get(name);
    if (builtin !== undefined)
      return builtin(call, {
        run: (script) => this.lists(script, call.io),
        call: (words) => this.#call({ ...call, words }),
      });
    const file = name.includes('/') ? this.#machine.files.entry(name, this.#state.folder) : undefined;
    if (file?.type === 'file') return this.#machine.runFile(call);
    const program = this.#machine.programs.get(name) ?? this.#machine.otherProgram;
    return program(call);
  }

  async #function(body: ShellCommand, { words, io }: ProgramCall): Promise<number> {
    const state = this.#state;
    const outer = state.args;
    if (this.#depth >= deepest) {
      io.err(`${words[0] ?? ''}: functions call each other too deeply\n`);
      throw new ShellJump('exit', 2);
    }
    this.#depth += 1;
    state.args = [outer[0] ?? '', ...words.slice(1)];
    try {
      return await this.command(body, io);
    } catch (error) {
      if (error instanceof ShellJump && error.how === 'return') return error.code;
      throw error;
    } finally {
      this.#depth -= 1;
      state.args = outer;
    }
  }

  #expander(): Expander {
    return {
      state: this.#state,
      machine: this.#machine,
      capture: async (script) => {
        const { out, text } = captured();
        this.#captured = await this.#apart(script, { input: { rest: '' }, out, err: this.#err });
        return text();
      },
    };
  }
}
