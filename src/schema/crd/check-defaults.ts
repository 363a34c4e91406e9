import { isObject, type Json, type JsonObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { runCheck } from '#schema/structural/check-value.ts';
import { hasUnknownFields } from '#schema/structural/prune.ts';
import { newRun } from '#schema/structural/run.ts';
import { nodeOf } from '#schema/structural/schema-node.ts';
import { invalidAt } from './crd-error.ts';
import { namedChildren, onlyChild } from './schema-children.ts';

type DefaultPlace = { readonly path: string; readonly insideMeta: boolean; readonly root: boolean };

/** Defaults must be what their own schema accepts, without unknown fields. */
export function checkDefaults(
  schema: JsonObject,
  { path, insideMeta, root }: DefaultPlace,
  errors: FieldError[],
): void {
  const resource = root || schema['x-kubernetes-embedded-resource'] === true;
  const fallback = schema['default'] ?? null;
  if (fallback !== null) checkDefault(schema, fallback, { path, insideMeta, errors });
  for (const child of onlyChild(schema, 'items', path)) {
    checkDefaults(child.schema, { path: child.path, insideMeta, root: false }, errors);
  }
  for (const { name, ...child } of namedChildren(schema, 'properties', path)) {
    const meta = resource ? name === 'metadata' || name === 'apiVersion' || name === 'kind' : insideMeta;
    checkDefaults(child.schema, { path: child.path, insideMeta: meta, root: false }, errors);
  }
}

type Found = { readonly path: string; readonly insideMeta: boolean; readonly errors: FieldError[] };

function checkDefault(schema: JsonObject, fallback: Json, { path, insideMeta, errors }: Found): void {
  const node = nodeOf(schema);
  const at = `${path}.default`;
  if (!insideMeta && hasUnknownFields(fallback, node))
    errors.push(invalidAt(at, fallback, 'must not have unknown fields'));
  const run = runCheck(node, { value: fallback, old: undefined }, newRun(at));
  if (run.embedded.length > 0 && isObject(fallback)) errors.push(...run.embedded);
  else errors.push(...run.errors);
}
