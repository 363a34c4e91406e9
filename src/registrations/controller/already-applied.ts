import {
  isArray,
  isNumber,
  isObject,
  listAt,
  objectAt,
  textAt,
  type Json,
  type JsonObject,
} from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { compareQuantity, parseQuantity } from '#base/quantity.ts';
import { fieldManager } from '#registrations/model/registration.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';

/**
 * Whether a server-side apply would change nothing: every field of the object is live and owned by us, and we own no
 * other field.
 */
export function isAlreadyApplied(wanted: KubeObject, live: KubeObject): boolean {
  const kept = metaOf(live)['managedFields'];
  const owned = typeof kept === 'string' ? parseJson(kept) : ownedFields(live);
  if (!isObject(owned)) return false;
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = wanted;
  const { name: _name, namespace: _namespace, ...meta } = isObject(metadata) ? metadata : {};
  return holds({ ...rest, metadata: meta }, live, { owned, isQuantity: false });
}

/** The fields that our field manager owns; without them a removed field cannot be detected. */
export const ownedFields = (object: KubeObject): JsonObject | undefined => {
  const entry = listAt(object, 'metadata', 'managedFields').find(
    (each) =>
      textAt(each, 'manager') === fieldManager &&
      textAt(each, 'operation') === 'Apply' &&
      textAt(each, 'subresource') === undefined,
  );
  return objectAt(entry, 'fieldsV1');
};

type Place = {
  /** Part of FieldsV1; undefined inside of an atomic field. */
  readonly owned: JsonObject | undefined;
  readonly isQuantity: boolean;
};

function holds(wanted: Json, live: Json | undefined, place: Place): boolean {
  if (isArray(wanted)) return isArray(live) && listHolds(wanted, live, place);
  if (isObject(wanted)) return isObject(live) && objectHolds(wanted, live, place);
  if (wanted === live) return true;
  return place.isQuantity && live !== undefined && live !== null && isSameQuantity(wanted, live);
}

const quantities: ReadonlySet<string> = new Set(['limits', 'requests', 'sizeLimit']);

function objectHolds(wanted: JsonObject, live: JsonObject, { owned, isQuantity }: Place): boolean {
  const below = membersOf(owned, 'f:');
  if (below !== undefined && [...below.keys()].some((key) => !Object.hasOwn(wanted, key))) return false;
  return Object.entries(wanted).every(([key, value]) => {
    const ours = below?.get(key);
    // Nobody owns an empty field.
    if (below !== undefined && ours === undefined && !isEmpty(value)) return false;
    if (ours === undefined && isEmpty(value)) return true;
    return holds(value, live[key], { owned: ours, isQuantity: isQuantity || quantities.has(key) });
  });
}

function listHolds(wanted: readonly Json[], live: readonly Json[], { owned, isQuantity }: Place): boolean {
  const keyed = membersOf(owned, 'k:');
  if (keyed !== undefined && keyed.size > 0) {
    if (keyed.size !== wanted.length) return false;
    return [...keyed].every(([text, ours]) => {
      const keys = parseJson(text) as JsonObject;
      const item = wanted.find((each) => isCalled(each, keys));
      const there = live.find((each) => isCalled(each, keys));
      return item !== undefined && holds(item, there, { owned: ours, isQuantity });
    });
  }
  const values = membersOf(owned, 'v:');
  if (values !== undefined && values.size > 0)
    return values.size === wanted.length && wanted.every((each) => live.includes(each));
  const inside = { owned: undefined, isQuantity };
  return wanted.length === live.length && wanted.every((each, i) => holds(each, live[i], inside));
}

/** A missing key has its default value. */
const isCalled = (item: Json, keys: JsonObject): boolean =>
  isObject(item) &&
  Object.entries(keys).every(([key, value]) => (item[key] ?? defaults[key] ?? null) === value);
const defaults: Readonly<Record<string, Json>> = { protocol: 'TCP' };

/** Undefined for a leaf, which is owned as a whole. */
function membersOf(owned: JsonObject | undefined, kind: string): ReadonlyMap<string, JsonObject> | undefined {
  if (owned === undefined) return undefined;
  const members = Object.entries(owned).filter(([element]) => element !== '.');
  if (members.length === 0) return undefined;
  return new Map(
    members
      .filter(([element]) => element.startsWith(kind))
      .map(([element, below]) => [element.slice(kind.length), isObject(below) ? below : {}]),
  );
}

const isEmpty = (value: Json): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** The server normalizes quantities: 0.25 becomes 250m. */
function isSameQuantity(wanted: Json, live: Json): boolean {
  const [one, other] = [wanted, live].map((each) =>
    typeof each === 'string' || isNumber(each) ? parseQuantity(String(each)) : undefined,
  );
  return one !== undefined && other !== undefined && compareQuantity(one, other) === 0;
}
