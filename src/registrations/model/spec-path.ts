import { at, type Json } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/** `$.spec.a`, `.spec.a` and `spec.a` are the same path. */
export const plainPath = (path: string): string => path.replace(/^[$.]+/, '');

/** The value at a dotted path of an instance. */
export const valueAt = (instance: KubeObject, path: string): Json | undefined =>
  at(instance, ...plainPath(path).split('.'));

/** Whether a path equals another or is below it. */
export const isWithin = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}.`);
