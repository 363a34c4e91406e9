import { equalJson, isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import { formatTime, parseTime } from '#base/time.ts';
import { type KubeObject, metaOf } from '#kube/object.ts';
import type { FieldSet } from './field-set.ts';
import { parseFieldsV1 } from './fields-v1.ts';

/** One line of `metadata.managedFields`, as it is stored. */
export type ManagedEntry = {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsType: 'FieldsV1';
  readonly fieldsV1: FieldSet;
  readonly subresource?: string;
};

export type ManagerName = Pick<ManagedEntry, 'manager' | 'operation' | 'apiVersion'> & {
  readonly subresource: string;
};

const noEntries: readonly ManagedEntry[] = [];

const isEntryList = (list: unknown): list is readonly ManagedEntry[] => Array.isArray(list);

/** The entries of a stored object. Only `withEntries` writes them, so they are not checked again. */
export function storedEntries(object: KubeObject | undefined): readonly ManagedEntry[] {
  const list = object === undefined ? undefined : metaOf(object)['managedFields'];
  return isEntryList(list) ? list : noEntries;
}

/**
 * The entries an update starts from. A client may send its own; `[{}]` clears them; none, empty or invalid
 * ones mean the stored ones, so that clients that do not send the field cannot delete it.
 */
export function entriesFor(before: KubeObject | undefined, after: KubeObject): readonly ManagedEntry[] {
  const stored = storedEntries(before);
  const sent = metaOf(after)['managedFields'];
  if (sent === undefined || !isArray(sent) || equalJson(sent, stored)) return stored;
  const [only] = sent;
  if (sent.length === 1 && isObject(only) && Object.keys(only).length === 0) return noEntries;
  const read = readEntries(sent);
  return read === undefined || read.length === 0 ? stored : read;
}

/** Two entries with one identity are the same manager's. An applier keeps its identity across versions. */
export function identityOf(name: {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource?: string;
}): string {
  const version = name.operation === 'Apply' ? '' : `,"apiVersion":${JSON.stringify(name.apiVersion)}`;
  const subresource = name.subresource ? `,"subresource":${JSON.stringify(name.subresource)}` : '';
  return `{"manager":${JSON.stringify(name.manager)},"operation":"${name.operation}"${version}${subresource}}`;
}

export function entryOf(name: ManagerName, fields: FieldSet, time: string | undefined): ManagedEntry {
  return {
    manager: name.manager,
    operation: name.operation,
    apiVersion: name.apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(name.subresource === '' ? {} : { subresource: name.subresource }),
  };
}

/** The object with these entries, in the order of a real server. */
export function withEntries(object: KubeObject, entries: readonly ManagedEntry[]): KubeObject {
  const { managedFields: sent, ...meta } = metaOf(object);
  if (entries.length === 0) return sent === undefined ? object : { ...object, metadata: meta };
  const ordered = entries.length === 1 ? entries : [...entries].sort(compareEntries);
  if (isArray(sent) && sameItems(sent, ordered)) return object;
  return { ...object, metadata: { ...meta, managedFields: ordered } };
}

/** Times are stored in one spelling, so that their texts stand in their order; none at all is the oldest. */
export const compareTimes = (left: ManagedEntry, right: ManagedEntry): number =>
  compareText(left.time ?? '', right.time ?? '');

const sameItems = (left: readonly Json[], right: readonly Json[]): boolean =>
  left.length === right.length && left.every((item, i) => item === right[i]);

function compareEntries(left: ManagedEntry, right: ManagedEntry): number {
  return (
    compareText(left.operation, right.operation) ||
    compareTimes(left, right) ||
    compareText(left.manager, right.manager) ||
    compareText(left.apiVersion, right.apiVersion) ||
    compareText(left.subresource ?? '', right.subresource ?? '')
  );
}

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

function readEntries(sent: readonly Json[]): readonly ManagedEntry[] | undefined {
  const read = new Map<string, ManagedEntry>();
  for (const each of sent) {
    const entry = isObject(each) ? readEntry(each) : undefined;
    if (entry === undefined) return undefined;
    read.set(identityOf(entry), entry);
  }
  return [...read.values()];
}

function readEntry(json: JsonObject): ManagedEntry | undefined {
  const { manager, operation, apiVersion, time, fieldsType, subresource } = json;
  const isOperation = operation === 'Apply' || operation === 'Update';
  if (!isOperation || typeof apiVersion !== 'string' || apiVersion === '' || fieldsType !== 'FieldsV1')
    return undefined;
  const fields = parseFieldsV1(json['fieldsV1']);
  if (fields === undefined) return undefined;
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  const name: ManagerName = { manager: text(manager), operation, apiVersion, subresource: text(subresource) };
  const at = typeof time === 'string' ? parseTime(time) : undefined;
  return entryOf(name, fields, at === undefined ? undefined : formatTime(at));
}
