import { isObject, listAt, objectAt, textAt } from '#base/json.ts';
import { breakGlassAnnotation, preDeleteFinalizer } from '#releases/model/well-known.ts';
import { breakGlassOf, type BreakGlassBy } from '#releases/decide/break-glass.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import type { Resource } from '#kube/resource.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { warning } from '#loop/note.ts';
import { pods } from '#loop/owned/resources.ts';
import { Refused } from '#loop/owned/write.ts';
import {
  annotationsOf,
  objectKeyOf,
  nameOf,
  resourceVersionOf,
  uidOf,
  type KubeObject,
} from '#kube/object.ts';

type Broken = BreakGlassBy & { readonly pod: KubeObject };

/**
 * Removes the finalizer of a pod and records Warning events, also when the answer to the write is lost. The server has
 * what the cache may not show yet: managed fields, which informers drop, and an annotation that a user has withdrawn. It
 * refuses the write when the pod has changed since it was read; the event of that change starts another reconcile.
 */
export async function breakGlass(
  { client, events }: { readonly client: KubeClient; readonly events: EventRecorder },
  workload: KubeObject,
  { pod }: Pick<Broken, 'pod'>,
  signal: AbortSignal,
): Promise<void> {
  const key = objectKeyOf(pod);
  const fresh = await client.get(pods, key, signal);
  // Another pod of the same name has its own hook.
  if (fresh.type !== 'ok' || uidOf(fresh.object) !== uidOf(pod)) return;
  const glass = breakGlassOf(annotationsOf(fresh.object));
  if (glass.type !== 'broken') return;
  const record = (): void => recordPodGlass(events, workload, { ...glass, pod: fresh.object });
  const outcome = await removeFinalizer(client, fresh.object, signal).catch((error: unknown) => {
    record();
    throw error;
  });
  if (outcome.type === 'ok') record();
  else if (outcome.type !== 'not-found' && outcome.type !== 'conflict') throw new Refused(outcome);
}

function removeFinalizer(client: KubeClient, pod: KubeObject, signal: AbortSignal): Promise<Outcome> {
  const body = {
    metadata: {
      uid: uidOf(pod),
      resourceVersion: resourceVersionOf(pod),
      '$deleteFromPrimitiveList/finalizers': [preDeleteFinalizer],
    },
  };
  return client.patch(pods, objectKeyOf(pod), { type: 'strategic', body }, signal);
}

function recordPodGlass(events: EventRecorder, workload: KubeObject, { pod, person, why }: Broken): void {
  const manager = managerOf(pod);
  const message = `Pod ${nameOf(pod)} goes without its hook: ${person} broke the glass (${why}), written by ${manager}`;
  events.record(workload, warning('BreakGlass', message));
  events.record(pod, warning('BreakGlass', message));
}

/** Records the event of a workload. Its finalizer is removed by the write that follows. */
export async function recordWorkloadGlass(
  {
    client,
    events,
    resource,
  }: { readonly client: KubeClient; readonly events: EventRecorder; readonly resource: Resource },
  workload: KubeObject,
  { person, why }: BreakGlassBy,
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
