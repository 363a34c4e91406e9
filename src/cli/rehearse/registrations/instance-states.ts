import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { diffHunks, lineDiff } from '#base/line-diff.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { kindOf, metaOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { pods } from '#loop/owned/resources.ts';
import { childKinds } from '#registrations/decide/children.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import { instanceResource } from '#registrations/controller/resources.ts';
import type { RehearsedChild } from '#rehearse/registrations/registration-report.ts';
import type { VirtualCluster } from '#cli/rehearse/virtual-cluster.ts';
import { withoutServerFields } from '#cli/rehearse/server-fields.ts';

/** An instance with its children and its pods. */
export type InstanceState = {
  readonly title: string;
  readonly registration: string;
  readonly object: KubeObject;
  readonly children: readonly KubeObject[];
  readonly pods: readonly KubeObject[];
};

/** A registration with the kind of its instances. */
export type RegisteredKind = { readonly registration: string; readonly kind: InstanceKind };

export const childResources: readonly Resource[] = childKinds.map(({ group, version, plural }) => ({
  group,
  version,
  plural,
  namespaced: true,
}));

/** The instances of all registrations by title. */
export function instanceStates(
  cluster: VirtualCluster,
  served: readonly RegisteredKind[],
): ReadonlyMap<string, InstanceState> {
  const children = childKinds.flatMap((child, at) =>
    cluster
      .stored(childResources[at] ?? pods)
      .map((object) => ({ ...object, apiVersion: child.apiVersion, kind: child.kind })),
  );
  const allPods = cluster.stored(pods);
  const states = served.flatMap(({ registration, kind }) =>
    cluster.stored(instanceResource(kind)).map((object): InstanceState => {
      const own = children.filter((child) => isOwnedBy(child, object));
      return {
        title: `${kind.kind} ${namespaceOf(object)}/${nameOf(object)}`,
        registration,
        object,
        children: own,
        pods: allPods.filter((pod) => own.some((child) => isPodOf(pod, child))),
      };
    }),
  );
  return new Map(states.map((state) => [state.title, state]));
}

const isOwnedBy = (child: KubeObject, owner: KubeObject): boolean =>
  listAt(child, 'metadata', 'ownerReferences').some((each) => textAt(each, 'uid') === uidOf(owner));

/** By the labels that the workload selects. */
function isPodOf(pod: KubeObject, child: KubeObject): boolean {
  if (kindOf(child) !== 'Deployment' || namespaceOf(pod) !== namespaceOf(child)) return false;
  const wanted = Object.entries(objectIn(child, 'spec', 'selector', 'matchLabels'));
  return (
    wanted.length > 0 && wanted.every(([key, value]) => textAt(pod, 'metadata', 'labels', key) === value)
  );
}

function objectIn(object: KubeObject, ...path: readonly string[]): JsonObject {
  let found: JsonObject = object;
  for (const key of path) found = (found[key] ?? {}) as JsonObject;
  return found;
}

export const readyPods = ({ pods: own }: InstanceState): number =>
  own.filter((pod) =>
    listAt(pod, 'status', 'conditions').some(
      (each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True',
    ),
  ).length;

/** The children of an instance before and after. */
export function comparedChildren(
  before: InstanceState | undefined,
  after: InstanceState | undefined,
): readonly RehearsedChild[] {
  const titles = new Set([...(before?.children ?? []), ...(after?.children ?? [])].map(titleOf));
  return [...titles].map((title) => {
    const [left, right] = [before, after].map((state) =>
      state?.children.find((child) => titleOf(child) === title),
    );
    const [old, now] = [yamlLines(left), yamlLines(right)];
    const diff = diffHunks(lineDiff(old, now));
    const change =
      left === undefined ? 'created' : right === undefined ? 'removed' : diff.length > 0 ? 'changed' : 'same';
    return { title, change, diff };
  });
}

const titleOf = (object: KubeObject): string => {
  const kind =
    textAt(object, 'apiVersion')?.startsWith('serving.knative.dev/') === true
      ? 'Knative Service'
      : kindOf(object);
  return `${kind} ${namespaceOf(object)}/${nameOf(object)}`;
};

/** An annotation that the controller of Deployments counts up. */
const revision = 'deployment.kubernetes.io/revision';

function yamlLines(object: KubeObject | undefined): readonly string[] {
  if (object === undefined) return [];
  const { status: _status, ...rest } = object;
  const { annotations, ...metadata } = withoutServerFields(metaOf(object)) as { annotations?: JsonObject };
  const { [revision]: _revision, ...own } = annotations ?? {};
  const whole = {
    ...rest,
    metadata: { ...metadata, ...(Object.keys(own).length > 0 && { annotations: own }) },
  };
  return printYaml(whole).trimEnd().split('\n');
}

/** Whether the pods of an instance are made of another template. */
export function hasOtherTemplate(before: InstanceState, after: InstanceState): boolean {
  const templates = ({ children }: InstanceState): string =>
    children.map((child) => printYaml(objectIn(child, 'spec', 'template'))).join('---\n');
  return templates(before) !== templates(after);
}
