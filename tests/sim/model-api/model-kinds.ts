import { kinds } from '#cli/kinds.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { Shape } from '#kube/shape.ts';
import { objectSchema } from '#schema/kind/crd.ts';
import { apiVersionOfKind } from '#schema/kind/kind.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { typeNameOf } from '#schema/types/builtin-types.ts';
import { shapeOfType } from '#schema/types/shape-of-type.ts';

/** What the model knows of a kind. */
export type ModelKind = Resource & {
  readonly kind: string;
  readonly apiVersion: string;
  /** The key of its table, as in the embedded server: `/pods`, `apps/controllerrevisions`. */
  readonly storage: string;
  readonly isCustom: boolean;
  /** Writes of the main endpoint keep the status. */
  readonly hasStatus: boolean;
  /** Whether metadata.generation counts changes of the spec. */
  readonly hasGeneration: boolean;
  readonly defaults: (object: KubeObject) => KubeObject;
  readonly shape: () => Shape;
};

export const storageOf = ({ group, plural }: Pick<Resource, 'group' | 'plural'>): string =>
  `${group}/${plural}`;

type BuiltinRow = readonly [group: string, version: string, plural: string, kind: string];
const scoped: readonly BuiltinRow[] = [
  ['', 'v1', 'pods', 'Pod'],
  ['', 'v1', 'secrets', 'Secret'],
  ['', 'v1', 'configmaps', 'ConfigMap'],
  ['', 'v1', 'services', 'Service'],
  ['', 'v1', 'serviceaccounts', 'ServiceAccount'],
  ['', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim'],
  ['', 'v1', 'events', 'Event'],
  ['apps', 'v1', 'controllerrevisions', 'ControllerRevision'],
  ['apps', 'v1', 'deployments', 'Deployment'],
  ['batch', 'v1', 'jobs', 'Job'],
  ['policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget'],
  ['coordination.k8s.io', 'v1', 'leases', 'Lease'],
];
const clusterWide: readonly BuiltinRow[] = [
  ['', 'v1', 'namespaces', 'Namespace'],
  ['', 'v1', 'nodes', 'Node'],
  ['apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition'],
];
const withGeneration = new Set(['Deployment', 'PodDisruptionBudget', 'Job']);
const withStatus = new Set(['Pod', 'Deployment', 'PodDisruptionBudget', 'Job', 'PersistentVolumeClaim']);

const builtin =
  (namespaced: boolean) =>
  ([group, version, plural, kind]: BuiltinRow): ModelKind => ({
    group,
    version,
    plural,
    namespaced,
    kind,
    apiVersion: group === '' ? version : `${group}/${version}`,
    storage: storageOf({ group, plural }),
    isCustom: false,
    hasStatus: withStatus.has(kind),
    hasGeneration: withGeneration.has(kind),
    defaults: (object) => object,
    shape: () => shapeOfType(typeNameOf(group, version, kind) ?? ''),
  });

const own = kinds.map((kind): ModelKind => {
  const { group, version, plural, scope, hasStatus } = kind;
  const compiled = compileSchema(objectSchema(kind));
  return {
    group,
    version,
    plural,
    namespaced: scope === 'Namespaced',
    kind: kind.kind,
    apiVersion: apiVersionOfKind(kind),
    storage: storageOf(kind),
    isCustom: true,
    hasStatus,
    hasGeneration: true,
    defaults: (object) => compiled.defaults(compiled.prune(object)),
    shape: () => compiled.shape(),
  };
});

/** The kinds that controllers use, and ours. */
export const modelKinds: readonly ModelKind[] = [
  ...scoped.map(builtin(true)),
  ...clusterWide.map(builtin(false)),
  ...own,
];
