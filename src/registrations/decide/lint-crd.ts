import { at, isObject, listAt, objectAt, textAt, type Json } from '#base/json.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import type { KubeObject } from '#kube/object.ts';
import { inspectCrd } from './inspect-crd.ts';
import type { Registration, ParameterRule } from '#registrations/model/registration.ts';

const parameters = 'spec.workload.parameterConfiguration';
const add = 'spec.workload.statusConfiguration.add';

/** Checks a registration against its CRD. */
export function crdFindings(registration: Registration, crd: KubeObject): readonly Finding[] {
  const inspected = inspectCrd(crd);
  if (inspected.type === 'unusable')
    return [{ severity: 'error', path: 'spec.crd', message: inspected.message }];
  const { supports, version: name } = inspected.kind;
  const version = listAt(crd, 'spec', 'versions').find((each) => textAt(each, 'name') === name);
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  return [
    ...statusFindings(supports, registration),
    ...pathFindings(registration, schema),
    ...(supports.subresource ? statusPathFindings(registration, schema) : []),
  ];
}

const warn = (path: string, message: string, hint?: string): Finding => ({
  severity: 'warning',
  path,
  message,
  ...(hint === undefined ? {} : { hint }),
});

function statusFindings(
  supports: { readonly subresource: boolean; readonly conditions: boolean },
  { hookConditions }: Registration,
): readonly Finding[] {
  if (!supports.subresource)
    return [
      warn(
        'spec.crd',
        'its instances have no status subresource, so their status is never written',
        'add subresources: { status: {} } to the version',
      ),
    ];
  if (supports.conditions) return [];
  const lost =
    hookConditions.length === 0 ? 'nothing' : `neither ${hookConditions.join(', ')} nor anything else`;
  return [
    warn(
      'spec.crd',
      `the status of its instances has no conditions, so ${lost} can be reported there`,
      'conditions need type, status, reason, message and lastTransitionTime, all of type string',
    ),
  ];
}

/** Rules about elements that are not in the schema. */
function pathFindings({ rules, skipped }: Registration, schema: Json | undefined): readonly Finding[] {
  const paths = [...rules].flatMap(([path, rule]) => [path, ...innerPaths(rule)]);
  return [...new Set([...paths, ...skipped])].flatMap((path) =>
    isKnown(schema, path.split('.')) ? [] : [warn(parameters, `${path} is not in the CRD's schema`)],
  );
}

const innerPaths = ({ from, volume }: ParameterRule): readonly string[] => [
  ...(from === undefined || from.type === 'resolveAddress' ? [] : [from.name, from.key]),
  ...(volume === undefined ? [] : [volume.object, ...(volume.items ?? []).map(({ key }) => key)]),
];

/** Status values that the server drops, and values of variables that do not exist. */
function statusPathFindings(
  { statusValues, added }: Registration,
  schema: Json | undefined,
): readonly Finding[] {
  return statusValues.flatMap(({ path, from }) => {
    const isAdded = added.some(({ name }) => from === `$added.${name}`);
    const comes = isAdded || (!from.startsWith('$added.') && isKnown(schema, from.split('.')));
    return [
      ...(isKnown(schema, path.split('.'))
        ? []
        : [warn(add, `${path} is not in the CRD's schema, so the server drops it`, 'add it to the CRD')]),
      ...(comes ? [] : [warn(add, `${from} is not a variable, so ${path} stays empty`)]),
    ];
  });
}

function isKnown(schema: Json | undefined, keys: readonly string[]): boolean {
  const [key, ...rest] = keys;
  if (key === undefined || schema === undefined) return true;
  if (at(schema, 'x-kubernetes-preserve-unknown-fields') === true) return true;
  const more = at(schema, 'additionalProperties');
  if (isObject(more)) return isKnown(more, rest);
  const properties = objectAt(schema, 'properties');
  return properties !== undefined && Object.hasOwn(properties, key) && isKnown(properties[key], rest);
}
