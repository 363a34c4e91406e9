import { optionsOf, type Options } from '../apiserver/options.ts';
import { figures, type RegistrationsFigureId } from './figures.ts';

export type RegistrationsOptions = Omit<Options, 'ids'> & { readonly ids: ReadonlySet<RegistrationsFigureId> };

/** The flags of the API server's benchmark, but for `--only`, which names figures of this one. */
export function registrationsOptions(args: readonly string[]): RegistrationsOptions {
  const at = args.indexOf('--only');
  const names = at < 0 ? [] : (args[at + 1] ?? '').split(',');
  const others = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
  const known = figures.map(({ id }) => id);
  const isCalled = (id: string, name: string): boolean => id === name || id.startsWith(`${name}-`);
  const unknown = names.filter((name) => !known.some((id) => isCalled(id, name)));
  if (unknown.length > 0) throw bad(unknown, known);
  const ids = names.length === 0 ? known : known.filter((id) => names.some((name) => isCalled(id, name)));
  return { ...optionsOf(others), ids: new Set(ids) };
}

function bad(unknown: readonly string[], known: readonly string[]): Error {
  const error = new Error(
    `--only names ${unknown.join(', ')}, which does not exist: choose from ${known.join(', ')}`,
  );
  error.name = 'BadUsage';
  return error;
}
