import { optionsOf, type Options } from '../apiserver/options.ts';
import { figures, type HooksFigureId } from './figures.ts';

export type HooksOptions = Omit<Options, 'ids'> & {
  readonly ids: ReadonlySet<HooksFigureId>;
  /** For how long runs are watched, when it is not the usual span. */
  readonly seconds: number | undefined;
};

/** The flags of the API server's benchmark, but for `--only`, which names figures of this one, and `--seconds`. */
export function hooksOptions(args: readonly string[]): HooksOptions {
  const names: string[] = [];
  const others: string[] = [];
  let span: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--only') names.push(...(args[++at] ?? '').split(','));
    else if (arg === '--seconds') span = args[++at] ?? '';
    else others.push(arg);
  }
  return { ...optionsOf(others), ids: chosen(names), seconds: secondsOf(span) };
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 1) return value;
  throw bad(`--seconds ${text} is not a number of seconds: give at least 1`);
}

function chosen(names: readonly string[]): ReadonlySet<HooksFigureId> {
  const known = figures.map(({ id }) => id);
  if (names.length === 0) return new Set(known);
  const unknown = names.filter((name) => !known.some((id) => id === name));
  if (unknown.length === 0) return new Set(known.filter((id) => names.includes(id)));
  throw bad(`--only names ${unknown.join(', ')}, which does not exist: choose from ${known.join(', ')}`);
}

function bad(message: string): Error {
  const error = new Error(message);
  error.name = 'BadUsage';
  return error;
}
