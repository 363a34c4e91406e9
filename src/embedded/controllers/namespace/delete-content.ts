import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome, Refusal } from '#edge/kube/outcome.ts';
import type { DiscoveredResource } from '#embedded/controllers/metadata/discovered-resource.ts';
import { isDeleting, nameOf, uidOf } from '#kube/object.ts';
import { Refused } from '#loop/owned/write.ts';
import type { Content } from './remaining.ts';

const parallel = 16;

export type NamespaceContent = {
  readonly client: KubeClient;
  readonly namespace: string;
};

/** The objects of these resources that are in a namespace now; resources without any are left out. */
export async function contentsOf(
  { client, namespace }: NamespaceContent,
  resources: readonly DiscoveredResource[],
  signal: AbortSignal,
): Promise<readonly Content[]> {
  const found: Content[] = [];
  for (let start = 0; start < resources.length; start += parallel) {
    const some = resources.slice(start, start + parallel);
    const lists = await Promise.all(
      some.map((each) => client.list(each, { namespace, content: 'metadata' }, signal)),
    );
    for (const [place, listed] of lists.entries()) {
      const resource = some[place];
      // The resource may be gone by now, its objects with it.
      if (resource === undefined || (listed.type !== 'ok' && isTolerated(listed))) continue;
      if (listed.type !== 'ok') throw new Refused(listed);
      if (listed.items.length > 0) found.push({ resource, objects: listed.items });
    }
  }
  return found;
}

/** Deletes all content that is not being deleted yet. Returns the messages of resources that refused. */
export async function deleteContent(
  where: NamespaceContent,
  contents: readonly Content[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const content of contents) {
    const refusal = await deleteObjects(where, content, signal);
    if (refusal !== undefined) failures.push(refusal.message);
  }
  return failures;
}

async function deleteObjects(
  { client, namespace }: NamespaceContent,
  { resource, objects }: Content,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const staying = objects.filter((each) => !isDeleting(each));
  if (staying.length === 0) return undefined;
  if (resource.verbs.includes('deletecollection')) {
    return refusalIn([await client.removeCollection(resource, { namespace }, signal, options)]);
  }
  for (let start = 0; start < staying.length; start += parallel) {
    const outcomes = await Promise.all(
      staying.slice(start, start + parallel).map((each) => {
        const preconditions = { uid: uidOf(each) };
        return client.remove(resource, { namespace, name: nameOf(each) }, signal, {
          ...options,
          preconditions,
        });
      }),
    );
    const refusal = refusalIn(outcomes);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

const options = { propagationPolicy: 'Background' } as const;

/** The object or its resource may be gone by now, and some resources cannot be deleted from. */
const isTolerated = ({ code }: Refusal): boolean => code === 404 || code === 405;

const refusalIn = (outcomes: readonly Outcome[]): Refusal | undefined =>
  outcomes.filter((each) => each.type !== 'ok').find((each) => !isTolerated(each));
