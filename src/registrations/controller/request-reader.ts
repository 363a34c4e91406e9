import type { KubeClient } from '#edge/kube/client.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { namespaceOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { isControlledBy } from '#kube/workload/owner.ts';
import { Refused } from '#loop/owned/write.ts';
import { childKinds, childSelector } from '#registrations/decide/children.ts';
import type { ObjectReference, Registration } from '#registrations/model/registration.ts';
import type { InstanceReader } from './instance-snapshot.ts';

type Reader = Pick<KubeClient, 'get' | 'list' | 'resourceOf'>;

/** Reads with one request for each object or list, for callers without informers. */
export function requestReader(
  client: Reader,
  { name, form }: Registration,
  signal: AbortSignal,
): InstanceReader {
  const read = async (
    resource: Resource,
    key: { readonly namespace: string; readonly name: string },
  ): Promise<KubeObject | undefined> => {
    const outcome = await client.get(resource, key, signal);
    if (outcome.type === 'ok') return outcome.object;
    if (outcome.type === 'not-found') return undefined;
    throw new Refused(outcome);
  };
  const reference = async (wanted: ObjectReference): Promise<KubeObject | undefined> => {
    const found = await client.resourceOf(wanted, signal);
    if (found.type !== 'ok') return undefined;
    if (wanted.isNamespacedOnly === true && !found.resource.namespaced) return undefined;
    return read(found.resource, wanted);
  };
  return {
    async children(instance) {
      const kinds = childKinds.filter(({ key }) => key !== 'ksvc' || form.type === 'ksvc');
      const lists = await Promise.all(
        kinds.map(async ({ group, version, plural, apiVersion, kind }) => {
          const resource = { group, version, plural, namespaced: true };
          const selection = { namespace: namespaceOf(instance), labelSelector: childSelector(name) };
          const listed = await client.list(resource, selection, signal);
          if (listed.type !== 'ok') throw new Refused(listed);
          return listed.items.map((each) => ({ ...each, apiVersion, kind }));
        }),
      );
      return lists.flat().filter((each) => isControlledBy(each, instance));
    },
    references: (wanted) => Promise.all(wanted.map(reference)),
    hookTemplate: (namespace, template) => read(hookTemplates, { namespace, name: template }),
    hookRun: (namespace, run) => read(hookRuns, { namespace, name: run }),
  };
}
