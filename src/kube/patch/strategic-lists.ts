import { equalJson, isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import { directiveOf, plainValue } from './strategic-directives.ts';
import { brokenPatch, listOfLists, noMergeKey, unknownDirective } from './strategic-error.ts';
import { arrange, identify, placeOf } from './strategic-order.ts';

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
    const merged = [...live, ...patch].filter(
      (item, i, all) => all.findIndex((each) => equalJson(each, item)) === i,
    );
    return arrange(merged, { order: patch, live, mergeKey: '' });
  }
  const special = carryOutDirectives(live, patch.filter(isObject), mergeKey);
  const merged = mergeMaps(special.live, special.patch, mergeKey, mergeItem);
  return arrange(merged, { order: special.patch, live: special.live, mergeKey });
}

/** `$deleteFromPrimitiveList/<field>` */
export const deleteItems = (live: readonly Json[], gone: readonly Json[]): readonly Json[] =>
  live.filter((item) => !gone.some((each) => equalJson(each, item)));

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
  let left = live;
  let replace = false;
  for (const item of patch) {
    const directive = directiveOf(item);
    if (directive === undefined) plain.push(item);
    else if (directive === 'delete') left = withoutMatching(left, item, mergeKey);
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw brokenPatch('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, item);
  }
  return replace ? { live: plain.map(plainValue), patch: [] } : { live: left, patch: plain };
}

function withoutMatching(live: readonly Json[], item: JsonObject, mergeKey: string): readonly Json[] {
  const key = identify(item, mergeKey);
  if (key === undefined) throw noMergeKey(item, mergeKey);
  return live.filter((each) => !equalJson(identify(each, mergeKey), key));
}

function mergeMaps(
  live: readonly Json[],
  patch: readonly JsonObject[],
  mergeKey: string,
  mergeItem: MergeItem,
): readonly Json[] {
  const merged = [...live];
  for (const item of patch) {
    if (identify(item, mergeKey) === undefined) throw noMergeKey(item, mergeKey);
    const place = placeOf(merged, item, mergeKey);
    const found = merged[place];
    if (isObject(found)) merged[place] = mergeItem(found, item);
    else merged.push(plainValue(item));
  }
  return merged;
}
