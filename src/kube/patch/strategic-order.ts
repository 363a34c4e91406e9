import { isObject, type Json } from '#base/json.ts';
import { type Identity, identityOf } from './identity.ts';

/** What tells one item from another: the item itself, or its merge key. */
export function identify(item: Json, mergeKey: string): Json | undefined {
  if (mergeKey === '') return item;
  return isObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
}

/** The identity of what tells the item from others; undefined for an item without its merge key. */
export function itemIdentity(item: Json, mergeKey: string): Identity | undefined {
  const key = identify(item, mergeKey);
  return key === undefined ? undefined : identityOf(key);
}

/** Where each item of a list stands first. */
export function placesOf(list: readonly Json[], mergeKey: string): Map<Identity, number> {
  const places = new Map<Identity, number>();
  for (const [place, item] of list.entries()) {
    const identity = itemIdentity(item, mergeKey);
    if (identity !== undefined && !places.has(identity)) places.set(identity, place);
  }
  return places;
}

/**
 * Puts merged items in order: those that `order` names stand as it says; the others keep their order in the
 * live list, each before the first named item that stands behind it there.
 */
export function arrange(
  merged: readonly Json[],
  { order, live, mergeKey }: { order: readonly Json[]; live: readonly Json[]; mergeKey: string },
): readonly Json[] {
  const placed = placeItems(merged, { order, live, mergeKey });
  const named = placed.filter(({ inOrder }) => inOrder >= 0).sort((a, b) => a.inOrder - b.inOrder);
  const others = placed.filter(({ inOrder }) => inOrder < 0).sort((a, b) => a.inLive - b.inLive);
  const arranged: Json[] = [];
  let taken = 0;
  for (const next of named) {
    for (let other = others[taken]; other !== undefined && isBefore(other, next); other = others[taken]) {
      arranged.push(other.item);
      taken += 1;
    }
    arranged.push(next.item);
  }
  for (const { item } of others.slice(taken)) arranged.push(item);
  return arranged;
}

type Placed = { readonly item: Json; readonly inOrder: number; readonly inLive: number };

function placeItems(
  merged: readonly Json[],
  { order, live, mergeKey }: { order: readonly Json[]; live: readonly Json[]; mergeKey: string },
): readonly Placed[] {
  const [orderPlaces, livePlaces] = [placesOf(order, mergeKey), placesOf(live, mergeKey)];
  return merged.map((item) => {
    const identity = itemIdentity(item, mergeKey);
    if (identity === undefined) return { item, inOrder: -1, inLive: -1 };
    return { item, inOrder: orderPlaces.get(identity) ?? -1, inLive: livePlaces.get(identity) ?? -1 };
  });
}

const isBefore = (other: Placed, next: Placed): boolean =>
  other.inLive >= 0 && next.inLive >= 0 && other.inLive < next.inLive;
