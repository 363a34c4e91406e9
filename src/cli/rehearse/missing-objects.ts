import { objectAt } from '#base/json.ts';
import { kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { hookTemplateNames } from '#releases/decide/hook-template-names.ts';
import { referencesIn, type Reference } from './pod-references.ts';

/** What a release needs and nobody has given. */
export type MissingObjects = {
  readonly warnings: readonly string[];
  readonly assumptions: readonly string[];
  /** Created in their place: without them no pod would start here. */
  readonly standIns: readonly KubeObject[];
};

type Given = {
  readonly objects: readonly KubeObject[];
  /** Secrets, ServiceAccounts and claims of a cluster are not read. */
  readonly isFromCluster: boolean;
};

type Missing = Reference & { readonly by: string; readonly without: string };

/** The objects that the pods and hooks of a workload name and that are not there. */
export function missingObjects(workload: KubeObject, { objects, isFromCluster }: Given): MissingObjects {
  const namespace = namespaceOf(workload);
  const known = new Set(
    objects
      .filter((each) => namespaceOf(each) === namespace)
      .map((each) => `${kindOf(each)} ${nameOf(each)}`),
  );
  const missing = neededBy(workload, objects).filter(
    ({ kind, name }) => !known.has(`${kind} ${name}`) && !(kind === 'ServiceAccount' && name === 'default'),
  );
  const isAssumed = ({ kind }: Missing): boolean =>
    kind !== 'ConfigMap' && (isFromCluster || kind !== 'Secret');
  const lines = (some: readonly Missing[], line: (each: Missing) => string): readonly string[] => [
    ...new Set(some.map(line)),
  ];
  return {
    warnings: lines(
      missing.filter((each) => !isAssumed(each)),
      ({ kind, name, by, without }) =>
        `${by} needs ${kind} ${namespace}/${name}, which is not in the ${isFromCluster ? 'cluster' : 'manifests'}: ${without} without it; add its file with -f`,
    ),
    assumptions: lines(
      missing.filter(isAssumed),
      ({ kind, name, by }) =>
        `${kind} ${namespace}/${name} of ${by} was assumed to exist${isFromCluster ? `: objects of this kind are not read from the cluster` : ': add its file with -f'}`,
    ),
    standIns: [...new Map(missing.map((each) => [`${each.kind} ${each.name}`, each])).values()].flatMap(
      ({ kind, name }) => standIn(kind, { namespace, name }),
    ),
  };
}

/** By its pods, and by the calls of its hooks. */
function neededBy(workload: KubeObject, objects: readonly KubeObject[]): readonly Missing[] {
  const title = `${kindOf(workload)} ${nameOf(workload)}`;
  const names = hookTemplateNames(workload);
  const templates = objects.filter(
    (each) =>
      kindOf(each) === 'HookTemplate' &&
      namespaceOf(each) === namespaceOf(workload) &&
      names.has(nameOf(each)),
  );
  return [
    ...referencesIn(objectAt(workload, 'spec', 'template') ?? {}).map((each) => ({
      ...each,
      by: title,
      without: 'pods would not start',
    })),
    ...templates.flatMap((template) =>
      referencesIn(template).map((each) => ({
        ...each,
        by: `HookTemplate ${nameOf(template)}`,
        without: 'its calls would fail',
      })),
    ),
  ];
}

function standIn(
  kind: Reference['kind'],
  metadata: { readonly namespace: string; readonly name: string },
): readonly KubeObject[] {
  switch (kind) {
    case 'ServiceAccount':
      return [{ apiVersion: 'v1', kind, metadata }];
    case 'PersistentVolumeClaim': {
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
      return [{ apiVersion: 'v1', kind, metadata, spec }];
    }
    default:
      // Simulated pods start without them.
      return [];
  }
}
