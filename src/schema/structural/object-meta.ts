import { isArray, isInteger, isObject, type Json, type JsonObject } from '#base/json.ts';
import { nameInPath } from '#kube/field-error.ts';
import { withChanges, type Changes } from './with-changes.ts';

/** What a field of ObjectMeta holds, as far as unknown fields and wrong types are concerned. */
type MetaType =
  | 'text'
  | 'integer'
  | 'flag'
  | 'texts'
  | 'text map'
  | 'anything'
  | { readonly listOf: Readonly<Record<string, MetaType>> };

const owner: Readonly<Record<string, MetaType>> = {
  apiVersion: 'text',
  kind: 'text',
  name: 'text',
  uid: 'text',
  controller: 'flag',
  blockOwnerDeletion: 'flag',
};

const managed: Readonly<Record<string, MetaType>> = {
  manager: 'text',
  operation: 'text',
  apiVersion: 'text',
  time: 'text',
  fieldsType: 'text',
  fieldsV1: 'anything',
  subresource: 'text',
};

const objectMeta: Readonly<Record<string, MetaType>> = {
  name: 'text',
  generateName: 'text',
  namespace: 'text',
  selfLink: 'text',
  uid: 'text',
  resourceVersion: 'text',
  generation: 'integer',
  creationTimestamp: 'text',
  deletionTimestamp: 'text',
  deletionGracePeriodSeconds: 'integer',
  labels: 'text map',
  annotations: 'text map',
  ownerReferences: { listOf: owner },
  finalizers: 'texts',
  managedFields: { listOf: managed },
};

export const metaFieldNames: readonly string[] = Object.keys(objectMeta);

/** Told of every unknown field, with its path below metadata. */
type OnUnknown = (path: string) => void;

/** Metadata cut down to what ObjectMeta has; the same object when there is nothing to cut. */
export function pruneMeta(meta: JsonObject, onUnknown?: OnUnknown): JsonObject {
  return pruneStruct(meta, objectMeta, { path: '', tell: onUnknown });
}

/** The first field of the wrong type, with the text of the server's decoder; undefined when there is none. */
export function metaTypeError(meta: JsonObject): string | undefined {
  for (const [name, type] of Object.entries(objectMeta)) {
    const value = Object.hasOwn(meta, name) ? meta[name] : undefined;
    if (value === undefined || value === null) continue;
    const wrong = typeErrorOf(value, type);
    if (wrong !== undefined)
      return `json: cannot unmarshal ${wrong.got} into Go struct field ObjectMeta.${name} of type ${wrong.want}`;
  }
  return undefined;
}

type Telling = { readonly path: string; readonly tell: OnUnknown | undefined };

function pruneStruct(
  value: JsonObject,
  fields: Readonly<Record<string, MetaType>>,
  telling: Telling,
): JsonObject {
  let changes: Changes | undefined;
  for (const key in value) {
    const old = value[key] ?? null;
    const type = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const next = pruneMember(old, type, { ...telling, path: `${telling.path}.${nameInPath(key)}` });
    if (next !== old) (changes ??= new Map()).set(key, next);
  }
  return changes === undefined ? value : withChanges(value, changes);
}

/** Undefined: the member is dropped, because it is unknown or empty. */
function pruneMember(value: Json, type: MetaType | undefined, telling: Telling): Json | undefined {
  if (type !== undefined) return value === null ? undefined : pruneField(value, type, telling);
  telling.tell?.(telling.path);
  return undefined;
}

function pruneField(value: Json, type: MetaType, telling: Telling): Json {
  if (typeof type === 'string' || !isArray(value)) return value;
  let changed = false;
  const items = value.map((each, i) => {
    if (!isObject(each)) return each;
    const next = pruneStruct(each, type.listOf, { ...telling, path: `${telling.path}[${i}]` });
    changed ||= next !== each;
    return next;
  });
  return changed ? items : value;
}

type Mismatch = { readonly got: string; readonly want: string };

const mismatch = (value: Json, want: string): Mismatch => ({ got: wireType(value), want });

const scalars: Readonly<Record<string, { readonly want: string; readonly fits: (value: Json) => boolean }>> =
  {
    text: { want: 'string', fits: (value) => typeof value === 'string' },
    integer: { want: 'int64', fits: isInteger },
    flag: { want: 'bool', fits: (value) => typeof value === 'boolean' },
    anything: { want: '', fits: () => true },
  };

function typeErrorOf(value: Json, type: MetaType): Mismatch | undefined {
  if (type === 'texts') return isArray(value) ? firstNotText(value) : mismatch(value, '[]string');
  if (type === 'text map') {
    return isObject(value) ? firstNotText(Object.values(value)) : mismatch(value, 'map[string]string');
  }
  if (typeof type === 'object') {
    const wrong = isArray(value) ? value.find((each) => !isObject(each)) : undefined;
    if (wrong !== undefined) return mismatch(wrong, 'v1.OwnerReference');
    return isArray(value) ? undefined : mismatch(value, '[]v1.OwnerReference');
  }
  const scalar = scalars[type];
  return scalar === undefined || scalar.fits(value) ? undefined : mismatch(value, scalar.want);
}

function firstNotText(values: readonly Json[]): Mismatch | undefined {
  const wrong = values.find((each) => each !== null && typeof each !== 'string');
  return wrong === undefined ? undefined : mismatch(wrong, 'string');
}

function wireType(value: Json): string {
  if (isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  if (typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
