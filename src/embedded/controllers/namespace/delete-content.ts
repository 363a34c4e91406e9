import type { JsonObject } from '#base/json.ts';
import type { Answer, Cluster, ResourceRef } from '#embedded/controllers/in-process/cluster.ts';
import { Refused } from '#embedded/controllers/in-process/refused.ts';
import { resourcePath } from '#embedded/controllers/in-process/resource-path.ts';
import { send, type Request } from '#embedded/controllers/in-process/send.ts';
import { isDeleting, nameOf, uidOf } from '#kube/object.ts';
import type { Content } from './remaining.ts';

/** The resource may have gone, or never have allowed it. */
const tolerated = [404, 405];
const parallel = 16;

/** All that is in a namespace, as far as it can be deleted. */
export function contentsOf(cluster: Cluster, namespace: string): readonly Content[] {
  return cluster
    .resources()
    .filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'))
    .map((resource) => ({ resource, objects: cluster.list(resource, namespace) }))
    .filter(({ objects }) => objects.length > 0);
}

/** G7: asks for the deletion of all content that is not going yet; the answer says which resources refused. */
export async function deleteContent(
  cluster: Cluster,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const content of contentsOf(cluster, namespace)) {
    try {
      await deleteOne(cluster, namespace, content, signal);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      failures.push(error.message);
    }
  }
  return failures;
}

async function deleteOne(
  cluster: Cluster,
  namespace: string,
  { resource, objects }: Content,
  signal: AbortSignal,
): Promise<void> {
  const staying = objects.filter((each) => !isDeleting(each));
  if (staying.length === 0) return;
  if (resource.verbs.includes('deletecollection')) {
    await send(cluster, collectionDeletion(resource, namespace), signal, tolerated);
    return;
  }
  for (let start = 0; start < staying.length; start += parallel) {
    const some = staying.slice(start, start + parallel);
    await Promise.all(
      some.map((each): Promise<Answer> => {
        const path = resourcePath(resource, namespace, nameOf(each));
        const body = { ...options, preconditions: { uid: uidOf(each) } };
        return send(cluster, { method: 'DELETE', path, body }, signal, tolerated);
      }),
    );
  }
}

const options: JsonObject = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };

const collectionDeletion = (resource: ResourceRef, namespace: string): Request => ({
  method: 'DELETE',
  path: resourcePath(resource, namespace),
  body: options,
});
