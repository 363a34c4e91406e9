import { isArray, isObject, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { PatchEntry, PatchTarget } from './reply.ts';
import { Malformed } from './reply-parts.ts';

const targets: Readonly<Record<string, PatchTarget>> = {
  main: 'main',
  deployment: 'main',
  ksvc: 'main',
  service: 'service',
  serviceAccount: 'serviceAccount',
  serviceaccount: 'serviceAccount',
  'service-account': 'serviceAccount',
};

const maxEntries = 64;
const maxOperations = 512;

/** The patches of a reply: `{main: …}`, or `{target, type, patch}`. */
export function readPatches(value: Json): readonly PatchEntry[] {
  if (!isArray(value)) throw bad('patches must be a list');
  if (value.length > maxEntries) throw bad(`patches has more than ${maxEntries} entries`);
  const entries = value.map((entry, i) => readEntry(entry, `patches[${i}]`));
  const count = entries.reduce((sum, { patch }) => sum + (isArray(patch) ? patch.length : 1), 0);
  if (count > maxOperations) throw bad(`patches has more than ${maxOperations} operations`);
  return entries;
}

const bad = (message: string): Malformed => new Malformed(message, 'PATCHINVALID');

function readEntry(entry: Json, where: string): PatchEntry {
  if (!isObject(entry)) throw bad(`${where} must be an object`);
  const isLong = Object.hasOwn(entry, 'patch');
  const [name, patch] = isLong ? [entry['target'], entry['patch']] : shortForm(entry, where);
  const target = typeof name === 'string' && Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (target === undefined)
    throw bad(`${where} is for ${printJson(name ?? null)}: targets are main, service and serviceAccount`);
  const type = typeOf(isLong ? entry['type'] : undefined, patch, where);
  return { target, type, patch: patch ?? null };
}

function shortForm(entry: JsonObject, where: string): readonly [string, Json] {
  const [[name, patch] = [], ...more] = Object.entries(entry);
  if (name === undefined || patch === undefined || more.length > 0)
    throw bad(`${where} must have one member, called after its target, or target and patch`);
  return [name, patch];
}

function typeOf(given: Json | undefined, patch: Json | undefined, where: string): PatchEntry['type'] {
  const isList = isArray(patch);
  if (!isList && !isObject(patch))
    throw bad(
      `${where}: a patch is a list (JSON patch) or an object (merge patch), not ${printJson(patch ?? null)}`,
    );
  const type = given ?? (isList ? 'json' : 'strategic');
  if (type !== 'json' && type !== 'merge' && type !== 'strategic')
    throw bad(`${where}.type must be json, merge or strategic`);
  if ((type === 'json') !== isList)
    throw bad(`${where}: a patch of type ${type} must be ${type === 'json' ? 'a list' : 'an object'}`);
  return type;
}
