import { limits } from './limits.ts';
import { partsOf, type Node } from './node.ts';

/** Everything behind the parser is recursive; this is not, and stops where the limit is passed. */
export function isTooDeep(root: Node): boolean {
  let level: readonly Node[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.depth) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}
