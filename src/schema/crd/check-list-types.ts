import { isArray, isObject, listAt, objectAt, type JsonObject } from '#base/json.ts';
import { forbidden, notSupported, required, type FieldError } from '#kube/field-error.ts';
import { dumpTexts, invalidAt, invalidDump } from './crd-error.ts';

const mapType = 'x-kubernetes-map-type';
const listType = 'x-kubernetes-list-type';
const listKeys = 'x-kubernetes-list-map-keys';

/** `x-kubernetes-map-type`: only on objects, atomic or granular. */
export function checkMapType(schema: JsonObject, path: string, errors: FieldError[]): void {
  const kind = schema[mapType] ?? null;
  if (kind === null) return;
  needType(schema, { wanted: 'object', keyword: mapType, path }, errors);
  if (kind !== 'atomic' && kind !== 'granular') {
    errors.push(notSupported(`${path}.${mapType}`, kind, ['atomic', 'granular']));
  }
}

/** `x-kubernetes-list-type` and the keys of lists by key. */
export function checkListType(schema: JsonObject, path: string, errors: FieldError[]): void {
  const kind = schema[listType] ?? null;
  const keys = keysOf(schema);
  if (kind !== null) checkListKind(schema, { path, errors });
  if (keys.length > 0 && kind !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const field = `${path}.${listType}`;
    errors.push(kind === null ? required(field, why) : invalidAt(field, kind, why));
  }
  if (kind === 'map') checkMapItems(schema, keys, { path, errors });
  if (kind === 'map' || kind === 'set') checkItemNulls(schema, kind, { path, errors });
}

function checkListKind(schema: JsonObject, { path, errors }: Report): void {
  const kind = schema[listType];
  const wrong = needType(schema, { wanted: 'array', keyword: listType, path }, errors);
  if (kind === 'set' && !wrong) checkSetItems(objectAt(schema, 'items') ?? {}, path, errors);
  if (kind === 'atomic' || kind === 'set' || kind === 'map') return;
  errors.push(notSupported(`${path}.${listType}`, kind, ['atomic', 'set', 'map']));
}

const keysOf = (schema: JsonObject): readonly string[] =>
  listAt(schema, listKeys).filter((each) => typeof each === 'string');

type Need = { readonly wanted: string; readonly keyword: string; readonly path: string };

/** True when the type was wrong. */
function needType(schema: JsonObject, { wanted, keyword, path }: Need, errors: FieldError[]): boolean {
  const type = schema['type'] ?? '';
  if (type === wanted) return false;
  const why = `must be ${wanted} if ${keyword} is specified`;
  errors.push(type === '' ? required(`${path}.type`, why) : invalidAt(`${path}.type`, type, why));
  return true;
}

function checkSetItems(items: JsonObject, path: string, errors: FieldError[]): void {
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const [ofList, ofMap] = [items[listType] ?? null, items[mapType] ?? null];
  if (items['type'] === 'array' && ofList !== null && ofList !== 'atomic') {
    errors.push(invalidAt(`${path}.items.${listType}`, ofList, why));
  }
  if (items['type'] === 'object' && ofMap !== 'atomic') {
    errors.push(invalidAt(`${path}.items.${mapType}`, ofMap, why));
  }
}

type Report = { readonly path: string; readonly errors: FieldError[] };

function checkMapItems(schema: JsonObject, keys: readonly string[], { path, errors }: Report): void {
  if (keys.length === 0)
    errors.push(required(`${path}.${listKeys}`, 'must not be empty if x-kubernetes-list-type is map'));
  const items = schema['items'] ?? null;
  if (items === null)
    errors.push(required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
  if (isArray(items)) {
    errors.push(
      invalidAt(`${path}.items`, items, 'must only have a single schema if x-kubernetes-list-type is map'),
    );
  }
  if (!isObject(items)) return;
  if (items['type'] !== 'object') {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalidAt(`${path}.items.type`, items['type'] ?? '', why));
    return;
  }
  keys.forEach((key, i) => checkKey(key, { items, keys, repeated: keys.indexOf(key) < i }, { path, errors }));
}

type Keys = { readonly items: JsonObject; readonly keys: readonly string[]; readonly repeated: boolean };

function checkKey(key: string, { items, keys, repeated }: Keys, { path, errors }: Report): void {
  const property = objectAt(items, 'properties', key);
  if (property === undefined) {
    errors.push(
      invalidDump(`${path}.${listKeys}`, dumpTexts(keys), 'entries must all be names of item properties'),
    );
  } else if (property['type'] === 'array' || property['type'] === 'object') {
    const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    errors.push(invalidAt(`${path}.items.properties[${key}].type`, items['type'], why));
  }
  if (repeated)
    errors.push(invalidDump(`${path}.${listKeys}`, dumpTexts(keys), 'must not contain duplicate entries'));
}

/** Items of sets and keys of lists by key must always have a value. */
function checkItemNulls(schema: JsonObject, kind: 'map' | 'set', { path, errors }: Report): void {
  const items = objectAt(schema, 'items');
  if (items === undefined) return;
  if (items['nullable'] === true) {
    errors.push(
      forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${kind}`),
    );
  }
  if (kind === 'set') return;
  const always = listAt(items, 'required');
  for (const key of keysOf(schema)) {
    const property = objectAt(items, 'properties', key);
    if (property === undefined) continue;
    const at = `${path}.items.properties[${key}]`;
    const why = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!always.includes(key) && (property['default'] ?? null) === null) {
      errors.push(required(`${at}.default`, `${why} must have a default or be a required property`));
    }
    if (property['nullable'] === true) errors.push(forbidden(`${at}.nullable`, `${why} cannot be nullable`));
  }
}
