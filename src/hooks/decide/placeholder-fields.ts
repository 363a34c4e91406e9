import type { Metric } from '#hooks/kinds/metric.ts';
import { providerWires, type ProviderWires } from '#hooks/kinds/providers.ts';
import { at, isArray, isObject, type Json } from '#base/json.ts';
import { readProviderIn } from '#hooks/read.ts';

/** A text that contains placeholders, and its path in the metric. */
export type FilledField = { readonly path: string; readonly text: string };

/** Every text of a metric that contains placeholders. */
export function filledFields(
  metric: Pick<Metric, 'provider'>,
  wires: ProviderWires = providerWires,
): readonly FilledField[] {
  const read = readProviderIn(wires, metric.provider);
  if (read.type === 'refused') return [];
  const { type, spec } = read.provider;
  return read.wire.placeholders
    .flatMap((field) => textsOf(spec as Json, field))
    .filter(({ text }) => text.includes('{{'))
    .map(({ path, text }) => ({ path: `provider.${type}.${path}`, text }));
}

/** The texts in `url`, or in `headers[].value` for every item of the list. */
function textsOf(spec: Json, field: string): readonly FilledField[] {
  const [list = '', member] = field.split('[].');
  const value = at(spec, list);
  if (member === undefined) return textsIn(list, value, 0);
  if (!isArray(value)) return [];
  return value.flatMap((item, i) => textsIn(`${list}[${i}].${member}`, at(item, member), 0));
}

const deepest = 256;

function textsIn(path: string, json: Json | undefined, depth: number): readonly FilledField[] {
  if (typeof json === 'string') return [{ path, text: json }];
  if (depth >= deepest) return [];
  if (isArray(json)) return json.flatMap((item, i) => textsIn(`${path}[${i}]`, item, depth + 1));
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([key, item]) => textsIn(`${path}.${key}`, item, depth + 1));
}
