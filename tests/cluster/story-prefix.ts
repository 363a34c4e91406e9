import type { Journal } from '#base/journal.ts';
import type { Prefix } from './prefixed.ts';
import type { TestCluster } from './test-cluster.ts';

let stories = 0;
/** A journal keeps objects beyond the server that wrote them; in a cluster their namespaces do. */
const kept = new WeakMap<Journal, Prefix>();

export type StoryPrefix = { readonly prefix: Prefix; readonly isNew: boolean };

/** A prefix for the names of a story: a new one, or that of the story whose journal it continues. */
export function storyPrefix({ run, hasControllers }: TestCluster, journal: Journal | undefined): StoryPrefix {
  const known = journal && kept.get(journal);
  if (known !== undefined) return { prefix: known, isNew: false };
  stories += 1;
  const prefix = { text: `bt-${run}-${process.pid}-${stories}-`, run, hidesPods: hasControllers };
  if (journal !== undefined) kept.set(journal, prefix);
  return { prefix, isNew: true };
}
