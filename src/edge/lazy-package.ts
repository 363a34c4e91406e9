import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** A package that is loaded when it is first used: most starts of the program do not need it at once. */
export function lazyPackage(name: string): () => unknown {
  let loaded: unknown;
  return () => (loaded ??= load(name));
}
