import { isObject, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { badValue } from './go-value.ts';
import { keep, keyedName, report, reportInvalid, type ValueCheck, type ValidationRun } from './run.ts';
import type { SchemaNode } from './schema-node.ts';

type ListCheck = (list: readonly Json[], old: Json | undefined, run: ValidationRun) => void;

/** Items, their number, and the uniqueness that the list's type requires. */
export function listCheck(node: SchemaNode, item: () => ValueCheck | undefined): ListCheck {
  const { minItems, maxItems, uniqueItems } = node.schema;
  return (list, old, run) => {
    const check = item();
    if (check !== undefined) checkItems(list, { check, before: correlate(node, old) }, run);
    if (typeof minItems === 'number' && list.length < minItems) {
      reportInvalid(run, String(list.length), `should have at least ${minItems} items`);
    }
    if (typeof maxItems === 'number' && list.length > maxItems) {
      report(run, 'FieldValueTooMany', `Too many: ${list.length}: must have at most ${maxItems} items`);
    }
    if (uniqueItems === true && duplicates(list).length > 0)
      reportInvalid(run, '""', "shouldn't contain duplicates");
    if (!run.nested && node.list !== 'atomic') checkListType(list, node, run);
  };
}

type Items = { readonly check: ValueCheck; readonly before: (item: Json) => Json | undefined };

function checkItems(list: readonly Json[], { check, before }: Items, run: ValidationRun): void {
  for (let i = 0; i < list.length; i++) {
    const item = list[i] ?? null;
    run.steps.push(i);
    check(item, before(item), run);
    run.steps.pop();
  }
}

const nothingBefore = (): undefined => undefined;

/** Items of a list by key are matched with their old values; items of other lists are not. */
function correlate(node: SchemaNode, old: Json | undefined): (item: Json) => Json | undefined {
  if (node.list !== 'map' || !Array.isArray(old)) return nothingBefore;
  const before = new Map<string, Json>();
  for (const each of old as readonly Json[])
    if (isObject(each)) before.set(keyText(each, node.listKeys), each);
  return (item) => (isObject(item) ? before.get(keyText(item, node.listKeys)) : undefined);
}

const keyText = (item: JsonObject, keys: readonly string[]): string =>
  printJson(keys.map((key) => (Object.hasOwn(item, key) ? (item[key] ?? null) : [])));

function checkListType(list: readonly Json[], node: SchemaNode, run: ValidationRun): void {
  if (list.length === 0 || (node.list === 'map' && !areObjects(list, run)) || list.length === 1) return;
  const keys = node.listKeys;
  const found = node.list === 'set' ? duplicates(list) : duplicates(list.map((each) => identity(each, keys)));
  for (const i of found) {
    const value = node.list === 'set' ? list[i] : pick(list[i] ?? null, keys);
    keep(run.lists, {
      reason: 'FieldValueDuplicate',
      field: `${keyedName(run)}[${i}]`,
      message: `Duplicate value: ${badValue(value)}`,
    });
  }
}

function areObjects(list: readonly Json[], run: ValidationRun): boolean {
  const wrong = list.findIndex((each) => each !== null && !isObject(each));
  if (wrong < 0) return true;
  const message = `Invalid value: ${badValue(list[wrong])}: must be an object for an array of list-type map`;
  keep(run.lists, { reason: 'FieldValueInvalid', field: `${keyedName(run)}[${wrong}]`, message });
  return false;
}

/** What makes an item of a list by key the same as another. */
function identity(item: Json, keys: readonly string[]): Json {
  const [only] = keys;
  if (keys.length !== 1 || only === undefined) return pick(item, keys);
  return isObject(item) && Object.hasOwn(item, only) ? (item[only] ?? null) : {};
}

function pick(item: Json, keys: readonly string[]): JsonObject {
  if (!isObject(item)) return {};
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key] ?? null]),
  );
}

/** The second appearance of every value that appears more than once. */
function duplicates(values: readonly Json[]): readonly number[] {
  const seen = new Map<Json, number>();
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? null;
    const key = typeof value === 'object' && value !== null ? `\u0000${canonical(value, 0)}` : value;
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    if (times === 1) found.push(i);
  }
  return found;
}

/** JSON with sorted keys. */
function canonical(value: Json, depth: number): string {
  if (depth > 200) return 'deep';
  if (Array.isArray(value))
    return `[${(value as readonly Json[]).map((each) => canonical(each, depth + 1)).join(',')}]`;
  if (!isObject(value)) return printJson(value);
  const members = Object.keys(value).toSorted();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null, depth + 1)}`).join(',')}}`;
}
