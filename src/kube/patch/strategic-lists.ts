import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import { type Identity, identityOf } from './identity.ts';
import { directiveOf, plainValue } from './strategic-directives.ts';
import { brokenPatch, listOfLists, noMergeKey, unknownDirective } from './strategic-error.ts';
import { arrange, itemIdentity, placesOf } from './strategic-order.ts';

/** How the items of two lists with a common key are merged; handed in, since maps hold lists and lists hold maps. */
type MergeItem = (live: JsonObject, patch: JsonObject) => Json;

/** A list field with the patch strategy `merge`. Items of the patch come first, unless live ones stood before them. */
export function mergeLists(
  live: readonly Json[],
  patch: readonly Json[],
  mergeKey: string,
  mergeItem: MergeItem,
): readonly Json[] {
  if (live.length === 0 && patch.length === 0) return live;
  checkItems([...live, ...patch]);
  if (!isObject(live[0] ?? patch[0])) {
    return arrange(distinct([...live, ...patch]), { order: patch, live, mergeKey: '' });
  }
  const special = carryOutDirectives(live, patch.filter(isObject), mergeKey);
  const merged = mergeMaps(special.live, special.patch, mergeKey, mergeItem);
  return arrange(merged, { order: special.patch, live: special.live, mergeKey });
}

/** `$deleteFromPrimitiveList/<field>` */
export function deleteItems(live: readonly Json[], gone: readonly Json[]): readonly Json[] {
  const named = new Set(gone.map(identityOf));
  return live.filter((item) => !named.has(identityOf(item)));
}

/** The first of every group of equal items. */
function distinct(items: readonly Json[]): readonly Json[] {
  const seen = new Set<Identity>();
  return items.filter((item) => seen.size < seen.add(identityOf(item)).size);
}

function checkItems(items: readonly Json[]): void {
  if (items.some(isArray)) throw listOfLists();
  const maps = items.filter(isObject).length;
  if (maps > 0 && maps < items.length) throw brokenPatch('list element types are not identical');
}

/** Items that only say `$patch`: `delete` takes away the live items of the same key, `replace` all of them. */
function carryOutDirectives(
  live: readonly Json[],
  patch: readonly JsonObject[],
  mergeKey: string,
): { readonly live: readonly Json[]; readonly patch: readonly JsonObject[] } {
  const plain: JsonObject[] = [];
  const gone = new Set<Identity>();
  let replace = false;
  for (const item of patch) {
    const directive = directiveOf(item);
    if (directive === undefined) plain.push(item);
    else if (directive === 'delete') gone.add(requiredIdentity(item, mergeKey));
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw brokenPatch('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, item);
  }
  if (replace) return { live: plain.map(plainValue), patch: [] };
  return { live: gone.size === 0 ? live : live.filter(isNotIn(gone, mergeKey)), patch: plain };
}

function requiredIdentity(item: JsonObject, mergeKey: string): Identity {
  const identity = itemIdentity(item, mergeKey);
  if (identity === undefined) throw noMergeKey(item, mergeKey);
  return identity;
}

function isNotIn(gone: ReadonlySet<Identity>, mergeKey: string): (item: Json) => boolean {
  return (item) => {
    const identity = itemIdentity(item, mergeKey);
    return identity === undefined || !gone.has(identity);
  };
}

function mergeMaps(
  live: readonly Json[],
  patch: readonly JsonObject[],
  mergeKey: string,
  mergeItem: MergeItem,
): readonly Json[] {
  const merged = [...live];
  const places = placesOf(live, mergeKey);
  for (const item of patch) {
    const identity = requiredIdentity(item, mergeKey);
    const place = places.get(identity) ?? merged.length;
    const found = merged[place];
    const result = isObject(found) ? mergeItem(found, item) : plainValue(item);
    merged[place] = result;
    places.set(identity, place);
    if (itemIdentity(result, mergeKey) !== identity) replaced(merged, { place, places, identity, mergeKey });
  }
  return merged;
}

/** An item lost its key in the merge, as a key of null does: now the next item of that key is the first one. */
function replaced(
  merged: readonly Json[],
  change: { place: number; places: Map<Identity, number>; identity: Identity; mergeKey: string },
): void {
  const { place, places, identity, mergeKey } = change;
  const identityAt = (at: number): Identity | undefined => itemIdentity(merged[at] ?? null, mergeKey);
  let next = place + 1;
  while (next < merged.length && identityAt(next) !== identity) next += 1;
  if (next < merged.length) places.set(identity, next);
  else places.delete(identity);
  const becomes = identityAt(place);
  if (becomes !== undefined) places.set(becomes, Math.min(place, places.get(becomes) ?? place));
}
