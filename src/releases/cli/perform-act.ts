import type { Millis } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ActOptions, ActPlan, ReleaseVerb } from '#releases/decide/act-plan/act-plan.ts';
import { differenceOf } from '#releases/decide/act-plan/difference.ts';
import { planAct } from '#releases/decide/act-plan/plan-act.ts';
import { isObserved } from '#releases/decide/act-plan/situation.ts';
import { actPatch } from './act-patch.ts';
import { awaitAct, awaitPause } from './act-result.ts';
import type { ActingIn } from './acting-in.ts';
import { awaitWorkload } from './await-workload.ts';
import type { FoundWorkload } from './find-workload.ts';
import { guardedWrite, type Decided } from './guarded-write.ts';
import type { ReleaseReport } from './release-report.ts';
import type { Signature } from './signature.ts';

export type ActRequest = {
  readonly verb: ReleaseVerb;
  readonly options: Omit<ActOptions, 'title'>;
  readonly signed: Signature;
  /** How long to wait for the controller. */
  readonly wait: Millis;
};

type WritePlan = Extract<ActPlan, { readonly type: 'write' }>;
type StopPlan = Exclude<ActPlan, { readonly type: 'write' }>;

/** Decides on an act, writes it, and waits for its result. */
export async function performAct(
  cluster: ActingIn,
  found: FoundWorkload,
  { verb, options, signed, wait }: ActRequest,
): Promise<ReleaseReport> {
  const { title } = found;
  // A pause is right in any state.
  const observed = verb === 'pause' ? found.workload : await whenObserved(cluster, found, wait);
  const decide = (workload: KubeObject): Decided<WritePlan, StopPlan> => {
    const plan = planAct(verb, workload, { ...options, title });
    if (plan.type !== 'write') return { type: 'stop', stop: plan };
    const { change } = plan;
    return { type: 'write', write: plan, basis: change, patch: actPatch(workload, change, signed) };
  };
  const guarded = await guardedWrite(cluster, { ...found, workload: observed }, decide);
  switch (guarded.type) {
    case 'written':
      return followed(cluster, { ...found, workload: guarded.workload }, guarded.write, {
        id: signed.id,
        wait,
      });
    case 'stopped': {
      const { stop, workload, before } = guarded;
      if (stop.type !== 'pending') return reportOf(stop, workload, before);
      const seen = await awaitAct(cluster, { ...found, workload }, { ...stop, wait });
      const by = stop.by === '' ? 'an unnamed user' : stop.by;
      return { ...seen, message: `${seen.message} (${by} had requested the same before)` };
    }
    case 'changed': {
      const { before, after } = guarded;
      const message = `${title} was changed by another writer, and nothing was done: ${differenceOf(before, after)}`;
      return { result: 'Refused', message, workload: after };
    }
  }
}

/** The workload once the controller has seen its spec; as it is, when that takes too long. */
async function whenObserved(cluster: ActingIn, found: FoundWorkload, wait: Millis): Promise<KubeObject> {
  let last = found.workload;
  const look = (workload: KubeObject): boolean | undefined => {
    last = workload;
    return isObserved(workload) || undefined;
  };
  await awaitWorkload(cluster, found, look, wait);
  return last;
}

async function followed(
  cluster: ActingIn,
  found: FoundWorkload,
  { change, summary }: WritePlan,
  { id, wait }: { readonly id: string; readonly wait: Millis },
): Promise<ReleaseReport> {
  try {
    return change.type === 'act'
      ? await awaitAct(cluster, found, { id, summary, wait })
      : await awaitPause(cluster, found, { paused: change.paused, summary, wait });
  } catch (error) {
    if (cluster.whole.aborted)
      cluster.note(`interrupted: the request to ${summary} is written and stays valid`);
    throw error;
  }
}

type Ended = Exclude<StopPlan, { readonly type: 'pending' }>;

function reportOf(plan: Ended, workload: KubeObject, before: KubeObject | undefined): ReleaseReport {
  const lead = before === undefined ? '' : `another writer was faster: ${differenceOf(before, workload)}; `;
  const message = `${lead}${plan.message}`;
  switch (plan.type) {
    case 'nothing':
      return { result: 'Nothing', message, workload, ...(plan.isWaiting ? { code: 4 } : {}) };
    case 'refused':
      return { result: 'Refused', message, workload };
    case 'invalid':
      return { result: 'Invalid', message, workload };
  }
}
