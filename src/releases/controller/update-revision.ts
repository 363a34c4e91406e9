import { textAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { longestLabel } from '#kube/workload/fitted.ts';
import { updateRevision, type RevisionNaming } from '#kube/workload/revisions.ts';
import type { PodWriteFailure } from '#loop/owned/pod-writer.ts';
import { ensureRevision } from '#loop/owned/revision-writer.ts';
import { Refused } from '#loop/owned/write.ts';
import { isSameTemplate } from '#releases/decide/same-template.ts';

/** How ControllerRevisions are named and found. Their names are labels of pods. */
export const revisionNaming: RevisionNaming = {
  hashLabel: 'controller.kubernetes.io/hash',
  longestName: longestLabel,
  isSameTemplate,
};

type Revisioned = {
  readonly workload: KubeObject;
  readonly resource: Resource;
  readonly known: readonly KubeObject[];
};

/**
 * Creates the ControllerRevision of the template where it is missing. While the server refuses it, the last revision
 * stays the update revision, so that its pods are still scaled and replaced. Undefined: the cache is behind the
 * server, and its next event starts another reconcile.
 */
export async function ensureUpdateRevision(
  client: KubeClient,
  { workload, resource, known }: Revisioned,
  signal: AbortSignal,
): Promise<{ readonly revision: KubeObject; readonly trouble?: PodWriteFailure } | undefined> {
  // The garbage collector may delete revisions before the workload: they are not created again.
  if (isDeleting(workload)) return { revision: updateRevision(workload, known, revisionNaming).revision };
  try {
    const wanted = { workload, resource, known, ...revisionNaming };
    const revision = await ensureRevision(client, wanted, signal);
    return revision === undefined ? undefined : { revision };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const last = textAt(workload, 'status', 'updateRevision');
    const revision = known.find((each) => nameOf(each) === last);
    if (revision === undefined) throw error;
    const message = `The server refuses the ControllerRevision of the template: ${error.message}. Pods of ${nameOf(revision)} are kept. Correct the template.`;
    return { revision, trouble: { reason: 'FailedCreate', message } };
  }
}
