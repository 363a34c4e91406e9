import type * as Yaml from 'yaml';
import type { Document, Pair } from 'yaml';

/**
 * Where the field of a path such as `spec.steps[0].pause` begins in the text: its key, or the item of a list. For a field
 * that is not written, where the nearest one above it begins.
 */
export function offsetOf(yaml: typeof Yaml, document: Document, path: string): number {
  let node: unknown = document.contents;
  let offset = startOf(yaml, node) ?? document.range?.[0] ?? 0;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (yaml.isAlias(node)) node = node.resolve(document);
    const found = index === undefined ? member(yaml, node, name ?? '') : item(yaml, node, Number(index));
    if (found === undefined) return offset;
    offset = startOf(yaml, found.at) ?? offset;
    node = found.value;
  }
  return offset;
}

type Found = { readonly at: unknown; readonly value: unknown };

/** Of a key that is written twice the last one counts. */
function member(yaml: typeof Yaml, node: unknown, name: string): Found | undefined {
  if (!yaml.isMap(node)) return undefined;
  const pair = node.items.findLast(({ key }: Pair) => yaml.isScalar(key) && key.source === name);
  return pair === undefined ? undefined : { at: pair.key, value: pair.value };
}

function item(yaml: typeof Yaml, node: unknown, index: number): Found | undefined {
  const value = yaml.isSeq(node) ? node.items[index] : undefined;
  return value === undefined ? undefined : { at: value, value };
}

const startOf = (yaml: typeof Yaml, node: unknown): number | undefined =>
  yaml.isNode(node) ? node.range?.[0] : undefined;
