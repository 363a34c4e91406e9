import { at, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { compareKubeVersions } from '#kube/versions.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

/** The parts of the status that the schema of the instances has. */
export type StatusSupport = {
  readonly subresource: boolean;
  readonly observedGeneration: boolean;
  readonly annotations: boolean;
  readonly address: boolean;
  readonly conditions: boolean;
};

/** The kind of the instances, in the version that is watched. */
export type InstanceKind = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly supports: StatusSupport;
};

export type Inspected =
  | { readonly type: 'usable'; readonly kind: InstanceKind }
  | { readonly type: 'unusable'; readonly message: string };

/**
 * The kind of a CustomResourceDefinition: in its highest version that is served, not a deprecated one if there is
 * another; and the parts of the status in its schema.
 */
export function inspectCrd(crd: KubeObject): Inspected {
  const spec = objectAt(crd, 'spec');
  if (textAt(spec, 'scope') === 'Cluster')
    return unusable(crd, 'is cluster-scoped; workloads need a namespace, so its scope must be Namespaced');
  const version = bestVersion(listAt(spec, 'versions').filter(isObject));
  if (version === undefined) return unusable(crd, 'serves no version');
  const kind = textAt(spec, 'names', 'kind');
  const plural = textAt(spec, 'names', 'plural');
  if (kind === undefined || plural === undefined) return unusable(crd, 'has no names');
  return {
    type: 'usable',
    kind: {
      group: textAt(spec, 'group') ?? '',
      version: textAt(version, 'name') ?? '',
      kind,
      plural,
      supports: supportOf(version),
    },
  };
}

const unusable = (crd: KubeObject, why: string): Inspected => ({
  type: 'unusable',
  message: `CustomResourceDefinition ${nameOf(crd)} ${why}`,
});

function bestVersion(versions: readonly JsonObject[]): JsonObject | undefined {
  const served = versions.filter((each) => each['served'] === true);
  const fresh = served.filter((each) => each['deprecated'] !== true);
  const rank = (each: JsonObject): string => textAt(each, 'name') ?? '';
  return [...(fresh.length > 0 ? fresh : served)].sort((a, b) => compareKubeVersions(rank(a), rank(b)))[0];
}

const nothing: StatusSupport = {
  subresource: false,
  observedGeneration: false,
  annotations: false,
  address: false,
  conditions: false,
};

function supportOf(version: JsonObject): StatusSupport {
  if (at(version, 'subresources', 'status') === undefined) return nothing;
  const status = objectAt(version, 'schema', 'openAPIV3Schema', 'properties', 'status', 'properties');
  const typeOf = (value: Json | undefined): string => textAt(value, 'type') ?? '';
  const annotations = at(status, 'annotations');
  const address = at(status, 'address');
  return {
    subresource: true,
    observedGeneration: typeOf(at(status, 'observedGeneration')) === 'integer',
    annotations:
      typeOf(annotations) === 'object' && typeOf(at(annotations, 'additionalProperties')) === 'string',
    address: typeOf(address) === 'object' && typeOf(at(address, 'properties', 'url')) === 'string',
    conditions: hasConditions(at(status, 'conditions')),
  };
}

const conditionFields = ['type', 'status', 'reason', 'message', 'lastTransitionTime'];

const hasConditions = (schema: Json | undefined): boolean =>
  textAt(schema, 'type') === 'array' &&
  conditionFields.every((name) => textAt(schema, 'items', 'properties', name, 'type') === 'string');
