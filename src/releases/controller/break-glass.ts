import { isObject, listAt, objectAt, textAt } from '#base/json.ts';
import { breakGlassAnnotation, preDeleteFinalizer } from '#releases/model/well-known.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { warning } from '#loop/note.ts';
import { pods } from '#loop/owned/resources.ts';
import { Refused } from '#loop/owned/write.ts';
import { objectKeyOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';

type Broken = { readonly pod: KubeObject; readonly person: string; readonly why: string };

/**
 * Records Warning events and removes the finalizer of a pod. The events come first: the answer to the write may be lost.
 * Informers drop managed fields: the server has them.
 */
export async function breakGlass(
  { client, events }: { readonly client: KubeClient; readonly events: EventRecorder },
  workload: KubeObject,
  { pod, person, why }: Broken,
  signal: AbortSignal,
): Promise<void> {
  const key = objectKeyOf(pod);
  const fresh = await client.get(pods, key, signal);
  // Another pod of the same name has its own hook.
  if (fresh.type !== 'ok' || uidOf(fresh.object) !== uidOf(pod)) return;
  const manager = managerOf(fresh.object);
  const message = `Pod ${nameOf(pod)} goes without its hook: ${person} broke the glass (${why}), written by ${manager}`;
  events.record(workload, warning('BreakGlass', message));
  events.record(pod, warning('BreakGlass', message));
  const body = {
    metadata: { uid: uidOf(pod), '$deleteFromPrimitiveList/finalizers': [preDeleteFinalizer] },
  };
  const outcome = await client.patch(pods, key, { type: 'strategic', body }, signal);
  if (outcome.type !== 'ok' && outcome.type !== 'not-found') throw new Refused(outcome);
}

/** Records the event of a workload. Its finalizer is removed by the write that follows. */
export async function recordWorkloadGlass(
  {
    client,
    events,
    resource,
  }: { readonly client: KubeClient; readonly events: EventRecorder; readonly resource: Resource },
  workload: KubeObject,
  { person, why }: Pick<Broken, 'person' | 'why'>,
  signal: AbortSignal,
): Promise<void> {
  const key = objectKeyOf(workload);
  const fresh = await client.get(resource, key, signal);
  if (fresh.type !== 'ok') return;
  const manager = managerOf(fresh.object);
  const message = `Pods go without their hooks: ${person} broke the glass (${why}), written by ${manager}`;
  events.record(workload, warning('BreakGlass', message));
}

/** The last manager that wrote the annotation. */
function managerOf(pod: KubeObject): string {
  const entry = listAt(pod, 'metadata', 'managedFields').findLast((each) => {
    const annotations = objectAt(each, 'fieldsV1', 'f:metadata', 'f:annotations');
    return isObject(annotations) && Object.hasOwn(annotations, `f:${breakGlassAnnotation}`);
  });
  return entry === undefined ? 'an unknown manager' : (textAt(entry, 'manager') ?? 'an unknown manager');
}
