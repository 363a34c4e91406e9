import type { Origin } from './model.ts';

/** A fault in the user's input. No machine is changed while there is one. */
export type SpecProblem = {
  readonly origin: Origin;
  readonly message: string;
  /** The valid values, where they can be listed. */
  readonly valid?: readonly string[];
};

/** `cluster.yaml: /spec/features/hooks/PreInstal: … Valid values: …`. */
export function problemText({ origin, message, valid }: SpecProblem): string {
  const place = origin.pointer === '' ? origin.file : `${origin.file}: ${origin.pointer}`;
  return `${place}: ${message}${valid === undefined ? '' : `. Valid values: ${valid.join(', ')}`}`;
}

/** A JSON pointer (RFC 6901) from keys. */
export const pointer = (...keys: readonly (string | number)[]): string =>
  keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export const problemAt = (file: string, pointer: string, message: string): SpecProblem => ({
  origin: { file, pointer },
  message,
});
