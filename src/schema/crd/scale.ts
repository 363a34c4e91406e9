import {
  at,
  isInteger,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';
import { ApiError } from '#kube/status.ts';
import type { ScalePaths } from './crd-resources.ts';

/** The scale of a custom resource as autoscaling/v1. Refuses with 500, as the real server, what has no replicas. */
export function readScale(object: KubeObject, paths: ScalePaths): KubeObject {
  const replicas = integerAt(object, paths.specReplicasPath);
  if (replicas === undefined) {
    throw internal(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`);
  }
  return scaleOf(object, paths, replicas);
}

/** The scale that an update or patch of it starts from: unlike a read, it bears the absence of replicas. */
export function scaleToChange(object: KubeObject, paths: ScalePaths): KubeObject {
  return scaleOf(object, paths, integerAt(object, paths.specReplicasPath));
}

/** The object with the replicas of a scale; a resourceVersion in the scale becomes the object's, as a precondition. */
export function writeScale(object: KubeObject, paths: ScalePaths, scale: KubeObject): KubeObject {
  const replicas = at(scale, 'spec', 'replicas');
  if (typeof replicas !== 'number') {
    throw plain(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} cannot be empty`);
  }
  const changed = setAt(object, keysOf(paths.specReplicasPath), replicas);
  const wanted = at(scale, 'metadata', 'resourceVersion');
  if (typeof wanted !== 'string' || wanted === '') return changed;
  return { ...changed, metadata: { ...metaOf(changed), resourceVersion: wanted } };
}

/** What every write of such a custom resource checks about its replicas and its selector. */
export function validateScaleSpec(object: KubeObject, paths: ScalePaths): readonly FieldError[] {
  const errors = checkReplicas(object, paths.specReplicasPath);
  if (paths.labelSelectorPath === undefined) return errors;
  const selector = at(object, ...keysOf(paths.labelSelectorPath));
  if (selector === undefined || typeof selector === 'string') return errors;
  return [
    ...errors,
    invalid(paths.labelSelectorPath, '', accessor(paths.labelSelectorPath, selector, 'string')),
  ];
}

/** The same for writes of its status. */
export function validateScaleStatus(object: KubeObject, paths: ScalePaths): readonly FieldError[] {
  return checkReplicas(object, paths.statusReplicasPath);
}

const keysOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');
const mostReplicas = 2_147_483_647;

function scaleOf(object: KubeObject, paths: ScalePaths, replicas: number | undefined): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metaOf(object);
  const selector =
    paths.labelSelectorPath === undefined ? undefined : textAtPath(object, paths.labelSelectorPath);
  const status = { replicas: integerAt(object, paths.statusReplicasPath) ?? 0 };
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: present({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: replicas === undefined ? {} : { replicas },
    status: selector === undefined || selector === '' ? status : { ...status, selector },
  };
}

function present(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const found: MutableJsonObject = {};
  for (const [key, value] of Object.entries(members)) if (value !== undefined) found[key] = value;
  return found;
}

function integerAt(object: KubeObject, path: string): number | undefined {
  const found = at(object, ...keysOf(path));
  if (found === undefined) return undefined;
  if (isInteger(found)) return Number(found);
  throw plain(accessor(path, found, 'int64'));
}

function textAtPath(object: KubeObject, path: string): string | undefined {
  const found = at(object, ...keysOf(path));
  if (found === undefined || typeof found === 'string') return found;
  throw plain(accessor(path, found, 'string'));
}

function checkReplicas(object: KubeObject, path: string): readonly FieldError[] {
  const replicas = at(object, ...keysOf(path));
  if (replicas === undefined) return [];
  if (!isInteger(replicas)) {
    return [invalid(path, 0, accessor(path, replicas, 'int64'))];
  }
  if (replicas < 0) return [invalid(path, replicas, 'should be a non-negative integer')];
  if (replicas > mostReplicas)
    return [invalid(path, replicas, `should be less than or equal to ${mostReplicas}`)];
  return [];
}

/** The text of a failed look-up, with the type's name in Go. */
function accessor(path: string, found: Json, wanted: string): string {
  return `${['', ...keysOf(path)].join('.')} accessor error: ${goText(found)} is of the type ${goType(found)}, expected ${wanted}`;
}

function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isNumber(value)) return isInteger(value) ? 'int64' : 'float64';
  return isObject(value) ? 'map[string]interface {}' : '[]interface {}';
}

function goText(value: Json): string {
  if (value === null) return '<nil>';
  return typeof value === 'object' ? printJson(value) : String(value);
}

function setAt(object: JsonObject, keys: readonly string[], value: Json): JsonObject {
  const [key = '', ...rest] = keys;
  if (rest.length === 0) return { ...object, [key]: value };
  const inner = Object.hasOwn(object, key) ? object[key] : undefined;
  if (inner !== undefined && !isObject(inner)) {
    throw plain(`value cannot be set because .${key} is not a map[string]interface{}`);
  }
  return { ...object, [key]: setAt(inner ?? {}, rest, value) };
}

const internal = (why: string): ApiError =>
  new ApiError({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${why}`,
    details: { causes: [{ message: why }] },
  });

/** An error that the server has no reason for. */
const plain = (message: string): ApiError => new ApiError({ code: 500, reason: '', message });
