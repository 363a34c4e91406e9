import { resolve } from 'node:path';
import type { Given } from './given.ts';

/** The options of a command, read by name. An option that is not given, or given as an empty text, is absent. */
export type Flags = {
  readonly text: (name: string) => string | undefined;
  /** The values of an option that may be given several times. */
  readonly texts: (name: string) => readonly string[];
  /** A path, made absolute. */
  readonly path: (name: string) => string | undefined;
  /** Whether an option without a value is given. */
  readonly isOn: (name: string) => boolean;
};

export function flagsOf(given: Given): Flags {
  const text = (name: string): string | undefined =>
    typeof given[name] === 'string' && given[name] !== '' ? given[name] : undefined;
  return {
    text,
    texts: (name) => (Array.isArray(given[name]) ? given[name].map(String) : []),
    path: (name) => {
      const path = text(name);
      return path === undefined ? undefined : resolve(path);
    },
    isOn: (name) => given[name] === true,
  };
}
