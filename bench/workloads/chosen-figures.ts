import { optionsOf, type Options } from '../apiserver/options.ts';
import { figures, type WorkloadsFigureId } from './figures.ts';

export type WorkloadsOptions = Omit<Options, 'ids'> & { readonly ids: ReadonlySet<WorkloadsFigureId> };

/** The flags of the API server's benchmark, but for `--only`, which names figures of this one. */
export function workloadsOptions(args: readonly string[]): WorkloadsOptions {
  const names: string[] = [];
  const others: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--only') names.push(...(args[++at] ?? '').split(','));
    else if (arg.startsWith('--only=')) names.push(...arg.slice('--only='.length).split(','));
    else others.push(arg);
  }
  return { ...optionsOf(others), ids: chosen(names) };
}

function chosen(names: readonly string[]): ReadonlySet<WorkloadsFigureId> {
  const known = figures.map(({ id }) => id);
  if (names.length === 0) return new Set(known);
  const unknown = names.filter((name) => !known.some((id) => id === name));
  if (unknown.length === 0) return new Set(known.filter((id) => names.includes(id)));
  const error = new Error(
    `--only names ${unknown.join(', ')}, which does not exist: choose from ${known.join(', ')}`,
  );
  error.name = 'BadUsage';
  throw error;
}
