import type { Random } from '#base/random.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import type { WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import type { Expectations } from '#loop/expectations.ts';
import { warning } from '#loop/note.ts';
import { PodWriter, type PodOwner, type PodWriteFailure } from '#loop/owned/pod-writer.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { applyAction, type ApplyActionDeps, type SingleAction } from './apply-action.ts';
import { onLostNodes } from './lost-nodes.ts';
import { freeIds, idOf } from './pod-ids.ts';
import { sideBySide } from './side-by-side.ts';
import { createWithClaims } from './stateful-pods.ts';

export type ApplyActionsDeps = ApplyActionDeps & {
  readonly random: Random;
  readonly expectations: Expectations;
};

export type ActionOrder = {
  readonly key: string;
  readonly snapshot: WorkloadSnapshot;
  readonly actions: readonly ReleaseAction[];
};

/** Applies actions: single writes concurrently, then deletions, then creations. Returns the first refusal. */
export async function applyActions(
  deps: ApplyActionsDeps,
  order: ActionOrder,
  signal: AbortSignal,
): Promise<PodWriteFailure | undefined> {
  const { key, snapshot, actions } = order;
  const small = actions.filter((action): action is SingleAction => isSmall(action));
  const planned = deps.disruptions.plan(small);
  try {
    await sideBySide(inLanes(small), async (lane) => {
      for (const action of lane) await applyAction(deps, snapshot.workload, action, signal);
    });
  } finally {
    for (const pod of planned) deps.disruptions.disrupted.drop(pod);
  }
  const whose = { key, owner: snapshot.workload };
  return (await remove(deps, whose, actions, signal)) ?? (await create(deps, whose, order, signal));
}

const isSmall = (action: ReleaseAction): boolean =>
  !['create-pods', 'create-pod', 'delete-pod'].includes(action.type);

/** Actions of one pod stay in order. HookRuns are created after the annotations of their pods. */
function inLanes(actions: readonly SingleAction[]): readonly (readonly SingleAction[])[] {
  const lanes = new Map<KubeObject | SingleAction, SingleAction[]>();
  for (const action of actions) {
    const about = 'pod' in action ? action.pod : action;
    const lane = lanes.get(about) ?? [];
    lane.push(action);
    lanes.set(about, lane);
  }
  const all = [...lanes.values()];
  const isRun = (lane: readonly SingleAction[]): boolean =>
    lane.every((action) => action.type === 'create-run');
  return [...all.filter((lane) => !isRun(lane)), ...all.filter(isRun)];
}

async function remove(
  deps: ApplyActionsDeps,
  whose: PodOwner,
  actions: readonly ReleaseAction[],
  signal: AbortSignal,
): Promise<PodWriteFailure | undefined> {
  const groups = Map.groupBy(
    actions.filter((action) => action.type === 'delete-pod'),
    (action) => `${action.event} ${action.isForced === true}`,
  );
  for (const group of groups.values()) {
    const [{ event, isForced } = { event: 'Delete', isForced: false }] = group;
    const victims = group.map(({ pod }) => pod);
    const found =
      isForced === true
        ? await onLostNodes(deps.client, victims, signal)
        : ({ type: 'read', pods: victims } as const);
    if (found.type === 'refused') {
      deps.events.record(whose.owner, warning(`Failed${event}`, `Error deleting: ${found.message}`));
      return { reason: 'FailedDelete', message: found.message };
    }
    const writer = new PodWriter({
      ...deps,
      verb: event,
      isForced: isForced === true,
      // It may be in service by now, and count for maxUnavailable; and the deletion may arrive late.
      mustBeAsSeen: true,
      unconfirmed: (pod) => deps.lost.podWrites.note(whose.key, pod),
    });
    const seen = found.pods.map((pod) => deps.newest.after(pod));
    const trouble = await writer.remove(whose, seen, signal);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

async function create(
  deps: ApplyActionsDeps,
  whose: PodOwner,
  { actions, snapshot }: ActionOrder,
  signal: AbortSignal,
): Promise<PodWriteFailure | undefined> {
  const lostPods = deps.lost.pods;
  const { key } = whose;
  const taken = new Set(snapshot.pods.map(idOf));
  const lost = [...lostPods.unseen(key, taken)];
  for (const action of actions) {
    if (action.type === 'create-pod') {
      const trouble = await createWithClaims(deps, whose, action, signal);
      if (trouble !== undefined) return trouble;
    }
    if (action.type !== 'create-pods') continue;
    const again = lost.splice(0, action.count);
    for (const id of again) taken.add(id);
    const ids = [...again, ...freeIds(deps.random, action.count - again.length, taken)];
    for (const id of ids) taken.add(id);
    const { revision } = action;
    const made = deps.kind.newPods({ workload: snapshot.workload, revision, ids, pods: snapshot.pods });
    if (made.type === 'refused') {
      deps.events.record(snapshot.workload, warning('FailedScale', made.message));
      return { reason: 'FailedCreate', message: made.message };
    }
    const writer = new PodWriter({
      ...deps,
      mayExist: (pod) => lostPods.has(key, idOf(pod)),
      unconfirmed: (pod) => lostPods.note(key, pod),
    });
    const trouble = await writer.create(whose, made.pods, signal);
    if (trouble !== undefined) return withoutIds(trouble, made.pods);
  }
  return undefined;
}

/**
 * Ids are random: with the name of a pod in its message the status would differ after every attempt, and each write of
 * it would start the next attempt at once. `pods "shop-"` is what a generated name looks like in Kubernetes.
 */
function withoutIds(trouble: PodWriteFailure, pods: readonly KubeObject[]): PodWriteFailure {
  const message = pods.map(nameOf).reduce((text, name) => {
    const prefix = name.slice(0, name.lastIndexOf('-') + 1);
    return text.replaceAll(`"${name}"`, `"${prefix}"`);
  }, trouble.message);
  return { ...trouble, message };
}
