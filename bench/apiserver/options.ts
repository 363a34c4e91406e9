import { parseArgs } from 'node:util';
import { figures, type FigureId } from './figures.ts';

export type Options = {
  readonly ids: ReadonlySet<FigureId>;
  /** A smoke run: little work, and figures that mean nothing. */
  readonly quick: boolean;
  readonly output: 'table' | 'json';
  readonly jsonFile: string | undefined;
  /** Where CPU profiles of the server go. */
  readonly profile: string | undefined;
  /** Where data directories are made. */
  readonly dir: string | undefined;
};

const usage = 'BadUsage';

export const isBadUsage = (error: unknown): error is Error => error instanceof Error && error.name === usage;

/** Flags, checked. */
export function optionsOf(args: readonly string[]): Options {
  const { values } = parsed(args);
  const output = values.output ?? 'table';
  if (output !== 'table' && output !== 'json') throw bad(`-o ${output} is not known: use table or json`);
  return {
    ids: chosen(values.only ?? []),
    quick: values.quick ?? false,
    output,
    jsonFile: values.json,
    profile: values.profile,
    dir: values.dir,
  };
}

function parsed(args: readonly string[]): ReturnType<typeof parse> {
  try {
    return parse(args);
  } catch (error) {
    throw bad(error instanceof Error ? error.message : String(error));
  }
}

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean' },
      output: { type: 'string', short: 'o' },
      json: { type: 'string' },
      profile: { type: 'string' },
      dir: { type: 'string' },
    },
  });

/** A name selects the figure of that name and all whose names begin with it: `create` means all three. */
function chosen(given: readonly string[]): ReadonlySet<FigureId> {
  const names = given.flatMap((each) => each.split(',')).filter((each) => each !== '');
  if (names.length === 0) return new Set(figures.map((each) => each.id));
  const ids = names.map((name) =>
    figures.map((each) => each.id).filter((id) => id === name || id.startsWith(`${name}-`)),
  );
  const unknown = names.filter((_, at) => ids[at]?.length === 0);
  if (unknown.length === 0) return new Set(ids.flat());
  const known = figures.map((each) => each.id).join(', ');
  throw bad(`--only names ${unknown.join(', ')}, which does not exist: choose from ${known}`);
}

function bad(message: string): Error {
  const error = new Error(message);
  error.name = usage;
  return error;
}
