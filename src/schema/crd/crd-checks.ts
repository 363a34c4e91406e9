import { isObject, listAt, objectAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { checkSchemaRules } from './check-cel.ts';
import { schemaChecks } from './check-schema.ts';
import { checkDepth } from './depth.ts';

/** The validation of a definition in pieces: their results are cached, so that validation is quick after them. */
export function crdChecks(crd: KubeObject): readonly (() => unknown)[] {
  const versions = listAt(crd, 'spec', 'versions').filter(isObject);
  const [first] = versions;
  if (versions.length !== 1 || first === undefined || checkDepth(first, '').length > 0) return [];
  const schema = objectAt(first, 'schema', 'openAPIV3Schema');
  if (schema === undefined) return [];
  const path = 'spec.validation.openAPIV3Schema';
  return [...schemaChecks, checkSchemaRules].map((check) => () => check(schema, path));
}
