import type { JsonObject } from '#base/json.ts';
import { formatTime, type Clock } from '#base/time.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import { releasePodOf } from '#releases/decide/pod-view.ts';
import { originOf } from '#releases/model/run-labels.ts';
import { gateType, stoppedAnnotation } from '#releases/model/well-known.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { keyOf } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { normal, warning } from '#loop/note.ts';
import { reasonOf } from '#loop/report.ts';
import type { Newest } from '#loop/owned/newest.ts';
import { pods } from '#loop/owned/resources.ts';
import { Refused, removeObject } from '#loop/owned/write.ts';
import { objectKeyOf, nameOf, uidOf, type KubeObject } from '#kube/object.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { breakGlass, recordWorkloadGlass } from './break-glass.ts';
import type { Disruptions } from './disruptions.ts';
import type { LostRequests } from './lost-requests.ts';
import { createClaim } from './stateful-pods.ts';
import type { WorkloadKind } from './workload-kind.ts';

export type ApplyActionDeps = {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly newest: Newest;
  readonly disruptions: Disruptions;
  readonly lost: LostRequests;
  readonly kind: WorkloadKind;
};

/** All actions except the creation and deletion of pods, which update the expectations. */
export type SingleAction = Exclude<
  ReleaseAction,
  { readonly type: 'create-pods' | 'create-pod' | 'delete-pod' }
>;

export async function applyAction(
  deps: ApplyActionDeps,
  workload: KubeObject,
  action: SingleAction,
  signal: AbortSignal,
): Promise<void> {
  switch (action.type) {
    case 'patch-pod':
      await patchPod(deps, workload, action, signal);
      return;
    case 'set-gate':
      await setGate(deps, workload, action, signal);
      return;
    case 'begin-in-place':
      await beginInPlace(deps, workload, action, signal);
      return;
    case 'break-glass':
      await breakGlass(deps, workload, action, signal);
      return;
    case 'break-workload-glass':
      await recordWorkloadGlass({ ...deps, resource: deps.kind.resource }, workload, action, signal);
      return;
    case 'create-run':
      await createRun(deps, workload, action.run, signal);
      return;
    case 'terminate-run':
      await terminateRun(deps, action.run, signal);
      return;
    case 'create-claim':
      await createClaim(deps, workload, action.claim, signal);
      return;
    case 'delete-run':
      await deleteRun(deps, workload, action.run, signal);
  }
}

type PatchPod = {
  readonly pod: KubeObject;
  readonly patch: JsonObject;
  readonly event?: string | undefined;
};

/** The pod as it is then; undefined when it is gone or has changed. */
async function patchPod(
  deps: ApplyActionDeps,
  workload: KubeObject,
  { pod, patch, event }: PatchPod,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const outcome = await writePod(deps, workload, { pod, patch, event }, signal);
  if (outcome.type === 'ok') {
    if (event !== undefined)
      deps.events.record(workload, normal(`Successful${event}`, `${saying(event)} pod ${nameOf(pod)}`));
    return outcome.object;
  }
  if (isGone(outcome)) return undefined;
  recordFailure(deps, workload, { pod, event }, outcome.message);
  throw new Refused(outcome);
}

function recordFailure(
  { events }: ApplyActionDeps,
  workload: KubeObject,
  { pod, event }: { readonly pod: KubeObject; readonly event: string | undefined },
  why: string,
): void {
  if (event === undefined) return;
  events.record(workload, warning(`Failed${event}`, `${saying(event)} pod ${nameOf(pod)} failed: ${why}`));
}

type WritePod = PatchPod & { readonly subresource?: 'status' };

/** Without an answer the patch may have been written, or it arrives later. */
async function writePod(
  deps: ApplyActionDeps,
  workload: KubeObject,
  { pod, patch, event, subresource }: WritePod,
  signal: AbortSignal,
): Promise<Outcome> {
  const { client, newest, lost } = deps;
  const named = newest.after(pod);
  const write = {
    type: 'strategic',
    body: asSeen(named, patch),
    ...(subresource && { subresource }),
  } as const;
  try {
    const outcome = await client.patch(pods, objectKeyOf(pod), write, signal);
    if (outcome.type === 'ok') newest.note(outcome.object);
    return outcome;
  } catch (error) {
    lost.podWrites.note(keyOf(workload), named);
    if (!signal.aborted) recordFailure(deps, workload, { pod, event }, reasonOf(error));
    throw error;
  }
}

const sayings: Readonly<Record<string, string>> = {
  UpdatePodInPlace: 'in-place update of',
  UpdatePodHotPatch: 'hot patch of',
};
const saying = (event: string): string => sayings[event] ?? event;

/** Closes the gate first: the pod is not in service when its containers change. */
async function beginInPlace(
  deps: ApplyActionDeps,
  workload: KubeObject,
  { pod, patch }: PatchPod,
  signal: AbortSignal,
): Promise<void> {
  const { gate } = releasePodOf(pod);
  const shut = (): Promise<KubeObject | undefined> =>
    setGate(deps, workload, { pod, isOpen: false, reason: 'StartInPlaceUpdate' }, signal);
  const update = (): Promise<KubeObject | undefined> =>
    patchPod(deps, workload, { pod, patch, event: 'UpdatePodInPlace' }, signal);
  if (gate === 'none') await disrupting(deps, pod, update);
  // The gate is already closed when the controller stopped between the two writes.
  else if (gate === 'shut' || (await disrupting(deps, pod, shut))) await update();
}

/** Takes a pod out of service, which was planned. When the response is lost, the write may have succeeded. */
async function disrupting(
  { disruptions: { disrupted }, newest }: ApplyActionDeps,
  pod: KubeObject,
  write: () => Promise<KubeObject | undefined>,
): Promise<boolean> {
  const named = newest.after(pod);
  try {
    const written = await write();
    if (written !== undefined) disrupted.written(written);
    return written !== undefined;
  } catch (error) {
    if (!(error instanceof Refused)) disrupted.answerLost(named);
    throw error;
  }
}

type SetGate = Omit<Extract<SingleAction, { readonly type: 'set-gate' }>, 'type'>;

async function setGate(
  deps: ApplyActionDeps,
  workload: KubeObject,
  { pod, isOpen, reason }: SetGate,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const condition = {
    type: gateType,
    status: isOpen ? 'True' : 'False',
    reason,
    lastTransitionTime: formatTime(deps.clock.now()),
  };
  const patch = { status: { conditions: [condition] } };
  const outcome = await writePod(deps, workload, { pod, patch, subresource: 'status' }, signal);
  if (outcome.type === 'ok') return outcome.object;
  if (isGone(outcome)) return undefined;
  throw new Refused(outcome);
}

async function createRun(
  { client, events }: ApplyActionDeps,
  workload: KubeObject,
  run: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await client.create(hookRuns, run, signal);
  // An existing one was created before the informer showed it.
  if (outcome.type === 'exists') return;
  const isPost = originOf(run).point === 'post-inplace';
  if (outcome.type === 'ok') {
    if (isPost)
      events.record(workload, normal('SuccessfulCreatePostHookRun', `Created HookRun: ${nameOf(run)}`));
    return;
  }
  if (isPost) {
    const message = `HookRun ${nameOf(run)} was not made: ${outcome.message}`;
    events.record(workload, warning('FailedCreatePostHookRun', message));
  }
  throw new Refused(outcome);
}

async function terminateRun(
  { client }: ApplyActionDeps,
  run: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const metadata = { annotations: { [stoppedAnnotation]: 'true' } };
  // The next HookRun of the step can have the same name.
  const body = asSeen(run, { metadata, spec: { terminate: true } });
  const outcome = await client.patch(hookRuns, objectKeyOf(run), { type: 'merge', body }, signal);
  if (outcome.type !== 'ok' && !isGone(outcome)) throw new Refused(outcome);
}

/** Without an answer the HookRun decides no more either: it may be gone. It is deleted again before the next decision. */
async function deleteRun(
  { client, newest, lost }: ApplyActionDeps,
  workload: KubeObject,
  run: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  // Noted before the answer: the informer may show the deletion first, and then it is forgotten.
  newest.noteRemoved(run);
  try {
    await removeObject(client, hookRuns, run, signal);
  } catch (error) {
    if (error instanceof Refused) newest.forget(uidOf(run));
    else lost.runDeletions.note(keyOf(workload), run);
    throw error;
  }
}

/**
 * The server refuses the patch for another pod of the same name, and when the pod has changed since: it may be in service
 * by now, and the cache does not show it yet. A patch that arrives after this process gave it up is refused as well, unless
 * nothing has happened to the pod meanwhile.
 */
export function asSeen(pod: KubeObject, patch: JsonObject): JsonObject {
  const { uid, resourceVersion } = pod['metadata'] as {
    readonly uid: string;
    readonly resourceVersion: string;
  };
  return { ...patch, metadata: { ...(patch['metadata'] as JsonObject | undefined), uid, resourceVersion } };
}

const isGone = (outcome: Exclude<Outcome, { readonly type: 'ok' }>): boolean =>
  outcome.type === 'not-found' || outcome.type === 'conflict';
