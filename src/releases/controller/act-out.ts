import type { Random } from '#base/random.ts';
import type { Act } from '#releases/decide/act.ts';
import type { Sight } from '#releases/decide/sight.ts';
import type { Expectations } from '#loop/expectations.ts';
import type { Informer } from '#loop/informer.ts';
import { warning } from '#loop/note.ts';
import { PodWriter, type PodOwner, type Trouble } from '#loop/owned/pod-writer.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { perform, type PerformDeps, type SmallAct } from './perform.ts';
import { freeIds } from './pod-ids.ts';
import { createWithClaims } from './stateful-pods.ts';

export type ActDeps = PerformDeps & {
  readonly random: Random;
  readonly expectations: Expectations;
  readonly pods: Informer;
};

export type ActOrder = {
  readonly key: string;
  readonly sight: Sight;
  readonly acts: readonly Act[];
  /** False: pods that were made or deleted are not seen yet, and nothing that counts pods is done. */
  readonly isUpToDate: boolean;
};

/** So many small writes are on their way at once. */
const width = 16;

/** Does what was decided: what is small side by side, pods one kind after another. The first refusal is told. */
export async function actOut(
  deps: ActDeps,
  order: ActOrder,
  signal: AbortSignal,
): Promise<Trouble | undefined> {
  const { key, sight, acts, isUpToDate } = order;
  const small = acts.filter((act): act is SmallAct => isSmall(act) && (isUpToDate || !countsPods(act)));
  await sideBySide(inLanes(small), async (lane) => {
    for (const act of lane) await perform(deps, sight.workload, act, signal);
  });
  if (!isUpToDate) return undefined;
  const whose = { key, owner: sight.workload };
  return (await remove(deps, whose, acts, signal)) ?? (await create(deps, whose, order, signal));
}

const isSmall = (act: Act): boolean => !['create-pods', 'create-pod', 'delete-pod'].includes(act.type);

/** Taking a pod out of service was decided by counting the others. */
const countsPods = (act: Act): boolean => act.type === 'begin-in-place';

/** Acts on one pod stay in their order; the rest is independent. Runs are made after the marks on their pods. */
function inLanes(acts: readonly SmallAct[]): readonly (readonly SmallAct[])[] {
  const lanes = new Map<KubeObject | SmallAct, SmallAct[]>();
  for (const act of acts) {
    const about = 'pod' in act ? act.pod : act;
    const lane = lanes.get(about) ?? [];
    lane.push(act);
    lanes.set(about, lane);
  }
  const all = [...lanes.values()];
  const isRun = (lane: readonly SmallAct[]): boolean => lane.every((act) => act.type === 'create-run');
  return [...all.filter((lane) => !isRun(lane)), ...all.filter(isRun)];
}

/** All that was begun ends before the first failure is told. */
async function sideBySide<Item>(items: readonly Item[], each: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += width) {
    const results = await Promise.allSettled(items.slice(at, at + width).map(each));
    const thrown = results.find((result) => result.status === 'rejected');
    if (thrown !== undefined) throw thrown.reason;
  }
}

async function remove(
  deps: ActDeps,
  whose: PodOwner,
  acts: readonly Act[],
  signal: AbortSignal,
): Promise<Trouble | undefined> {
  const groups = Map.groupBy(
    acts.filter((act) => act.type === 'delete-pod'),
    (act) => `${act.event} ${act.isForced === true}`,
  );
  for (const group of groups.values()) {
    const [{ event, isForced } = { event: 'Delete', isForced: false }] = group;
    const writer = new PodWriter({ ...deps, verb: event, isForced: isForced === true });
    const trouble = await writer.remove(
      whose,
      group.map(({ pod }) => pod),
      signal,
    );
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

async function create(
  deps: ActDeps,
  whose: PodOwner,
  { acts, sight }: ActOrder,
  signal: AbortSignal,
): Promise<Trouble | undefined> {
  const taken = new Set(sight.pods.map((pod) => nameOf(pod).slice(nameOf(pod).lastIndexOf('-') + 1)));
  for (const act of acts) {
    if (act.type === 'create-pod') {
      const trouble = await createWithClaims(deps, whose, act, signal);
      if (trouble !== undefined) return trouble;
    }
    if (act.type !== 'create-pods') continue;
    const ids = freeIds(deps.random, act.count, taken);
    for (const id of ids) taken.add(id);
    const { revision } = act;
    const made = deps.kind.newPods({ workload: sight.workload, revision, ids, pods: sight.pods });
    if (made.type === 'refused') {
      deps.events.record(sight.workload, warning('FailedScale', made.message));
      return { reason: 'FailedCreate', message: made.message };
    }
    const trouble = await new PodWriter(deps).create(whose, made.pods, signal);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}
