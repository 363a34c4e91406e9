import { limits } from './limits.ts';
import { partsOf, type Node } from './node.ts';

/** Checks the depth without recursion, because everything after the parser is recursive. */
export function isTooDeep(root: Node): boolean {
  let level: readonly Node[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.depth) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}
