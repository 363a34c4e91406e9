import type { Random } from '#base/random.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { safeLetters } from '#kube/safe-letters.ts';

const length = 5;

/** What the name of a pod ends with: a random id, or an ordinal. */
export const idOf = (pod: KubeObject): string => nameOf(pod).slice(nameOf(pod).lastIndexOf('-') + 1);

/** Random ids that no pod has. */
export function freeIds(random: Random, count: number, taken: ReadonlySet<string>): readonly string[] {
  const ids = new Set<string>();
  while (ids.size < count) {
    const id = Array.from({ length }, () => letter(random)).join('');
    if (!taken.has(id)) ids.add(id);
  }
  return [...ids];
}

const letter = (random: Random): string => safeLetters.charAt(Math.floor(random.next() * safeLetters.length));
