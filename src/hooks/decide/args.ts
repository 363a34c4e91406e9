import type { HookArg } from '#hooks/kinds/metric.ts';

export type Merged =
  | { readonly type: 'merged'; readonly args: readonly HookArg[] }
  | { readonly type: 'missing'; readonly names: readonly string[]; readonly message: string };

/** Arguments about the pod or its host are passed to a run even if the template does not declare them. */
const podWords = ['PodName', 'PodNamespace', 'PodIP', 'PodContainer', 'ModifiedContainer', 'HostIP'];
export const isPodWord = (name: string): boolean => podWords.some((word) => name.includes(word));

/**
 * The arguments of a run: those of the template in their order, with the values that were given; injected values
 * count more. Arguments that the template does not declare are dropped, unless they are about the pod.
 */
export function mergeArgs(
  declared: readonly HookArg[],
  given: readonly HookArg[],
  options: { readonly injected: readonly HookArg[] },
): Merged {
  const merged = new Map(declared.map(({ name, value }) => [name, value]));
  for (const { name, value } of [...given, ...options.injected]) {
    if (value === undefined) continue;
    if (merged.has(name) || isPodWord(name)) merged.set(name, value);
  }
  const names = [...merged].filter(([, value]) => value === undefined).map(([name]) => name);
  if (names.length > 0) return { type: 'missing', names, message: missingMessage(names) };
  const args = [...merged].flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return { type: 'merged', args };
}

export type ArgsMap =
  | { readonly type: 'args'; readonly args: ReadonlyMap<string, string> }
  | { readonly type: 'problem'; readonly message: string };

/** The arguments of a run by name. One without a value is a problem even if nothing uses it. */
export function argsMap(args: readonly HookArg[]): ArgsMap {
  const names = args.filter(({ value }) => value === undefined).map(({ name }) => name);
  if (names.length > 0) return { type: 'problem', message: missingMessage(names) };
  return { type: 'args', args: new Map(args.map(({ name, value = '' }) => [name, value])) };
}

function missingMessage(names: readonly string[]): string {
  const [subject, verb, pronoun] =
    names.length === 1 ? ['argument', 'has', 'it'] : ['arguments', 'have', 'them'];
  return `the ${subject} ${names.join(', ')} ${verb} no value: give ${pronoun} one when the run is created, or in the template`;
}
