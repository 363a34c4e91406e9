import { equalJson, isObject, type Json } from '#base/json.ts';

/** What tells one item from another: the item itself, or its merge key. */
export function identify(item: Json, mergeKey: string): Json | undefined {
  if (mergeKey === '') return item;
  return isObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
}

export function placeOf(list: readonly Json[], item: Json, mergeKey: string): number {
  const key = identify(item, mergeKey);
  if (key === undefined) return -1;
  return list.findIndex((each) => equalJson(identify(each, mergeKey), key));
}

/**
 * Puts merged items in order: those that `order` names stand as it says; the others keep their order in the
 * live list, each before the first named item that stands behind it there.
 */
export function arrange(
  merged: readonly Json[],
  { order, live, mergeKey }: { order: readonly Json[]; live: readonly Json[]; mergeKey: string },
): readonly Json[] {
  const named = sortBy(
    order,
    mergeKey,
    merged.filter((item) => placeOf(order, item, mergeKey) >= 0),
  );
  const others = sortBy(
    live,
    mergeKey,
    merged.filter((item) => placeOf(order, item, mergeKey) < 0),
  );
  const arranged: Json[] = [];
  for (const next of named) {
    const limit = placeOf(live, next, mergeKey);
    while (others[0] !== undefined && isBefore(placeOf(live, others[0], mergeKey), limit)) {
      arranged.push(...others.splice(0, 1));
    }
    arranged.push(next);
  }
  return [...arranged, ...others];
}

const isBefore = (place: number, limit: number): boolean => place >= 0 && limit >= 0 && place < limit;

const sortBy = (order: readonly Json[], mergeKey: string, items: readonly Json[]): Json[] =>
  items
    .map((item) => ({ item, place: placeOf(order, item, mergeKey) }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);
