import { optionsOf, type Options } from '../apiserver/options.ts';
import type { Figure } from './figure.ts';

export type SuiteOptions<Id extends string> = Omit<Options, 'ids'> & { readonly ids: ReadonlySet<Id> };

/** The flags of the API server's benchmark, but for `--only`, which names figures of this one. */
export function suiteOptions<Id extends string>(
  args: readonly string[],
  figures: readonly Figure<Id>[],
): SuiteOptions<Id> {
  const names: string[] = [];
  const others: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const [flag, given] = arg.split('=', 2);
    if (flag === '--only') names.push(...(given ?? args[++at] ?? '').split(','));
    else others.push(arg);
  }
  return { ...optionsOf(others), ids: chosen(names, figures) };
}

function chosen<Id extends string>(
  names: readonly string[],
  figures: readonly Figure<Id>[],
): ReadonlySet<Id> {
  const known = figures.map(({ id }) => id);
  if (names.length === 0) return new Set(known);
  const unknown = names.filter((name) => !known.some((id) => id === name));
  if (unknown.length > 0)
    throw badUsage(
      `--only names ${unknown.join(', ')}, which does not exist: choose from ${known.join(', ')}`,
    );
  return new Set(known.filter((id) => names.includes(id)));
}

/** What `bench/main.ts` tells without a stack. */
export function badUsage(message: string): Error {
  const error = new Error(message);
  error.name = 'BadUsage';
  return error;
}
