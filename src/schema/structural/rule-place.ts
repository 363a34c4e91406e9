import { isArray, isObject, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { SchemaNode } from './schema-node.ts';
import { sameValue } from './same-value.ts';

/** A value and the one it replaces, where the two can be matched. */
type Pair = { readonly value: Json; readonly old: Json };

/** A place in an object while its rules are evaluated. */
export type RulePlace = {
  readonly path: string;
  readonly value: Json;
  /** What transition rules compare with. */
  readonly old: Json | undefined;
  /** For ratcheting: this value's pair, or else that of the nearest place above that has one. */
  readonly pair: Pair | undefined;
  readonly above: Pair | undefined;
};

export const rootPlace = (value: Json, old: Json | undefined): RulePlace => ({
  path: '',
  value,
  old,
  pair: old === undefined ? undefined : { value, old },
  above: undefined,
});

/** Whether nothing changed here, so that what is wrong was wrong before. */
export function isUnchanged({ pair, above }: RulePlace): boolean {
  const nearest = pair ?? above;
  return nearest !== undefined && sameValue(nearest.old, nearest.value);
}

/** A member of an object or map; fields are written with a dot, keys in brackets. */
export function memberPlace(place: RulePlace, key: string, named: boolean): RulePlace {
  const { path, old, pair, above } = place;
  const value = isObject(place.value) ? (place.value[key] ?? null) : null;
  const before = isObject(old) && Object.hasOwn(old, key) ? (old[key] ?? undefined) : undefined;
  const dotted = path === '' ? key : `${path}.${key}`;
  return {
    path: named ? dotted : `${path}[${key}]`,
    value,
    old: before,
    ...pairBelow({ pair, above }, value, before),
  };
}

/** An item; only items of lists by key can be matched with their old value. */
export function itemPlaces(place: RulePlace, node: SchemaNode): readonly RulePlace[] {
  const { path, value, old, pair, above } = place;
  if (!isArray(value)) return [];
  const before = node.list === 'map' && isArray(old) ? old : [];
  const byKey = new Map(before.map((each) => [keyOf(each, node.listKeys), each]));
  return value.map((item, i) => {
    const previous = byKey.get(keyOf(item, node.listKeys)) ?? undefined;
    return {
      path: `${path}[${i}]`,
      value: item,
      old: previous,
      ...pairBelow({ pair, above }, item, previous),
    };
  });
}

function pairBelow(
  { pair, above }: Pick<RulePlace, 'pair' | 'above'>,
  value: Json,
  old: Json | undefined,
): Pick<RulePlace, 'pair' | 'above'> {
  if (pair === undefined) return { pair, above };
  return { pair: old === undefined ? undefined : { value, old }, above: pair };
}

const keyOf = (item: Json, keys: readonly string[]): string =>
  isObject(item) ? printJson(keys.map((key) => (Object.hasOwn(item, key) ? (item[key] ?? null) : []))) : '';
