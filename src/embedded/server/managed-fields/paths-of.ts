import type { FieldSet } from './field-set.ts';
import { printElement } from './path-element.ts';

/** Every path of a set as real servers print it in messages, such as `.spec.ports[port=80].name`. */
export function pathsOf(set: FieldSet, prefix = ''): readonly string[] {
  const paths: string[] = [];
  for (const element in set) {
    if (element === '.') continue;
    const path = prefix + printElement(element);
    const node = set[element] ?? {};
    const below = pathsOf(node, path);
    if (below.length === 0 || node['.'] !== undefined) paths.push(path);
    paths.push(...below);
  }
  return paths;
}
