import { at, listAt, textAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { conditionOf } from '#kube/conditions.ts';
import { nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { childKinds, childSelector } from '#registrations/decide/children.ts';
import type { RegistrationInstance } from '#web/wire/registration-page.ts';

/** Instances that are shown: those that are not ready first. */
const most = 500;

/** The resource of a CRD such as `kuards.extensions.triggermesh.io`, as discovery shows it; undefined: not served. */
export async function instanceResource(
  client: Pick<KubeClient, 'raw'>,
  crd: string,
  signal: AbortSignal,
): Promise<Resource | undefined> {
  const dot = crd.indexOf('.');
  const [plural, group] = [crd.slice(0, Math.max(0, dot)), crd.slice(dot + 1)];
  if (plural === '' || !/^[a-z0-9.-]+$/.test(group)) return undefined;
  const found = await client.raw(`/apis/${group}`, signal);
  const version = found.type === 'ok' ? textAt(found.object, 'preferredVersion', 'version') : undefined;
  if (version === undefined) return undefined;
  const served = await client.raw(`/apis/${group}/${encodeURIComponent(version)}`, signal);
  const row =
    served.type === 'ok'
      ? listAt(served.object, 'resources').find((each) => textAt(each, 'name') === plural)
      : undefined;
  return row === undefined
    ? undefined
    : { group, version, plural, namespaced: at(row, 'namespaced') === true };
}

export type ReadInstances =
  | { readonly type: 'instances'; readonly instances: readonly RegistrationInstance[] }
  | { readonly type: 'refused'; readonly message: string };

export async function readInstances(
  client: Pick<KubeClient, 'list'>,
  registration: string,
  resource: Resource,
  signal: AbortSignal,
): Promise<ReadInstances> {
  const listed = await client.list(resource, {}, signal);
  if (listed.type !== 'ok') return { type: 'refused', message: listed.message };
  const children = await readChildren(client, registration, signal);
  const instances = listed.items
    .map((instance) => instanceRow(instance, children.get(uidOf(instance)) ?? []))
    .toSorted((left, right) => Number(left.isReady) - Number(right.isReady))
    .slice(0, most);
  return { type: 'instances', instances };
}

type Child = RegistrationInstance['children'][number];

/** The children by the uid of their instance. Kinds that the user may not list are left out. */
async function readChildren(
  client: Pick<KubeClient, 'list'>,
  registration: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Child[]>> {
  const found = new Map<string, Child[]>();
  const labelSelector = childSelector(registration);
  for (const { group, version, plural, kind } of childKinds) {
    const listed = await client.list({ group, version, plural, namespaced: true }, { labelSelector }, signal);
    for (const child of listed.type === 'ok' ? listed.items : []) {
      const owner = controllerOf(child)?.uid ?? '';
      found.set(owner, [...(found.get(owner) ?? []), { kind, name: nameOf(child) }]);
    }
  }
  return found;
}

function instanceRow(instance: KubeObject, children: readonly Child[]): RegistrationInstance {
  const ready = conditionOf(instance, 'Ready');
  return {
    namespace: namespaceOf(instance),
    name: nameOf(instance),
    isReady: textAt(ready, 'status') === 'True',
    reason: textAt(ready, 'reason') ?? '',
    message: textAt(ready, 'message') ?? '',
    children,
  };
}
