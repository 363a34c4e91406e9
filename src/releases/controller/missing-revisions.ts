import { textAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { isDeleting, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { isControlledBy } from '#kube/workload/owner.ts';
import { revisions } from '#loop/owned/resources.ts';
import { Refused } from '#loop/owned/write.ts';

/**
 * The ControllerRevisions that the status names and the informer does not show: it can be behind for as long as its
 * watch is lost. Without them old pods would be made from another template.
 */
export function missingRevisions(workload: KubeObject, shown: readonly KubeObject[]): readonly string[] {
  if (isDeleting(workload)) return [];
  const names = new Set(shown.map(nameOf));
  const named = [['updateRevision'], ['currentRevision'], ['canary', 'revision']].flatMap(
    (path) => textAt(workload, 'status', ...path) ?? [],
  );
  return [...new Set(named)].filter((name) => name !== '' && !names.has(name));
}

/** Those that exist and belong to the workload. */
export async function readRevisions(
  client: Pick<KubeClient, 'get'>,
  workload: KubeObject,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const found = await Promise.all(
    names.map((name) => client.get(revisions, { namespace: namespaceOf(workload), name }, signal)),
  );
  return found.flatMap((each) => {
    if (each.type === 'not-found') return [];
    if (each.type !== 'ok') throw new Refused(each);
    return isControlledBy(each.object, workload) ? [each.object] : [];
  });
}
