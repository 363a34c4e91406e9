import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** A package that is loaded when it is first used: most starts of the program do not need it at once. */
export function lazyPackage<Package>(name: string): () => Package {
  let loaded: Package | undefined;
  return () => (loaded ??= load(name) as Package);
}
