import { isArray, isObject, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { orderedJson } from '#kube/workload/safe-hash.ts';

/** The value of a variable for an element. Undefined: no variable; null: the value cannot be a variable. */
export function valueText(value: Json): string | null | undefined {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  if (isArray(value)) return listText(value);
  if (!isObject(value)) return printJson(value);
  return Object.keys(value).length === 0 ? undefined : orderedJson(value);
}

/** Items separated by commas; JSON when one of them is an object. */
const listText = (list: readonly Json[]): string =>
  list.some(isObject) ? orderedJson(list) : list.map(itemText).join(',');

function itemText(item: Json): string {
  if (typeof item === 'string') return item;
  if (item === null) return '<nil>';
  return isArray(item) ? `[${item.map(itemText).join(' ')}]` : printJson(item);
}
