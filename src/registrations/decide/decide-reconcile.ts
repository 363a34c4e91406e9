import { listAt } from '#base/json.ts';
import { annotationsOf, isDeleting } from '#kube/object.ts';
import { listOfChildren } from './children.ts';
import type { Children, InstanceSnapshot, HookStability, ReconcileStep } from './cycle.ts';
import { decideDeletion } from './decide-deletion.ts';
import { finishCycle, rest, type FinishInput } from './finish-cycle.ts';
import { decideGate } from './gate.ts';
import { childrenToPrune, conflictOf } from './live-children.ts';
import { isNearLimit, maxChanges, nextStability } from './hook-stability.ts';
import { neededReferences, referenceKey } from './references.ts';
import { finalizer, pausedAnnotation } from '#registrations/model/registration.ts';
import { shapeChildren, type Shaped } from './shape-children.ts';
import { hasPhase } from './phase-reply.ts';

/**
 * One reconciliation, step by step: with what is known so far, what is the next step? The caller does it, adds the
 * result to the snapshot and decides again, until the step is `finish`. Equal snapshots give equal steps.
 */
export function decideReconcile(snapshot: InstanceSnapshot): ReconcileStep {
  const { registration, instance, environment, memory, references } = snapshot;
  if (isDeleting(instance)) return decideDeletion(snapshot);
  if (annotationsOf(instance)[pausedAnnotation] === 'true') return rest(memory, 'paused');
  const isHeld = listAt(instance, 'metadata', 'finalizers').includes(finalizer);
  const mustHold = hasPhase(registration, 'finalize');
  // Before the first call: the hook may create external resources, which finalize must remove.
  if (mustHold && !isHeld) return { type: 'add-finalizer' };
  if (isHeld && !mustHold) return { type: 'remove-finalizer', events: [] };
  const needed = neededReferences(registration, instance, environment);
  const missing = needed.filter((each) => !references.has(referenceKey(each)));
  if (missing.length > 0) return { type: 'fetch', references: missing };
  const shaped = shapeChildren(snapshot);
  if (shaped.type === 'ask') return shaped.step;
  return shaped.type === 'stopped' ? stopped(snapshot, shaped) : settle(snapshot, shaped);
}

function stopped(snapshot: InstanceSnapshot, { rendered, phaseReplies }: Shaped): ReconcileStep {
  if (rendered.type === 'rendered') return finishCycle({ snapshot, phaseReplies, values: rendered.values });
  if (phaseReplies.some(({ fault }) => fault?.halt === true)) return finishCycle({ snapshot, phaseReplies });
  const { reason, message } = rendered;
  // Only a change of the instance or of the registration can solve these.
  const isFinal = reason === 'RENDERFAILED' || reason === 'REFERENCEREFUSED';
  const status = isFinal ? 'False' : 'Unknown';
  const retry = isFinal ? 'never' : 'soon';
  return finishCycle({ snapshot, phaseReplies, problem: { status, reason, message, retry } });
}

type Ready = Extract<Shaped, { type: 'shaped' }>;

/** The children are known: check for conflicts and the gate, apply them, and finish with the result. */
function settle(snapshot: InstanceSnapshot, shaped: Ready): ReconcileStep {
  const { rendered, phaseReplies, children } = shaped;
  const { children: input, values } =
    rendered.type === 'rendered' ? rendered : { children: {} as Children, values: undefined };
  const ending = { snapshot, phaseReplies, ...(values === undefined ? {} : { values }) };
  const end = (how: Partial<FinishInput>): ReconcileStep =>
    finishCycle({ ...ending, stability: stabilityOf(snapshot, input, children), ...how });
  const blocker = blockerOf(snapshot, input, children);
  if (blocker !== undefined) return end({ problem: blocker });
  const gate = decideGate(snapshot);
  if (gate.type === 'create') return { type: 'create-run', run: gate.run };
  if (gate.type === 'shut') {
    const status = gate.reason === 'GATECLOSED' ? 'False' : 'Unknown';
    const { reason, message } = gate;
    return end({ outcome: 'waiting', problem: { status, reason, message, retry: 'never' } });
  }
  if (snapshot.applied === undefined) return applyStep(snapshot, shaped, input);
  return end(refusalOf(snapshot, children !== input));
}

/** Hashes all children, so it is called at the end only. */
const stabilityOf = (
  snapshot: InstanceSnapshot,
  input: Children,
  children: Children,
): HookStability | undefined =>
  snapshot.registration.hook === undefined
    ? undefined
    : nextStability(snapshot.memory.stability, input, children, snapshot.now);

function blockerOf(snapshot: InstanceSnapshot, input: Children, children: Children): FinishInput['problem'] {
  const conflicting = conflictOf(snapshot, children);
  if (conflicting !== undefined)
    return { status: 'False', reason: 'CHILDCONFLICT', message: conflicting, retry: 'soon' };
  if (!isNearLimit(snapshot.memory.stability)) return undefined;
  const stability = stabilityOf(snapshot, input, children);
  if (stability === undefined || stability.changes < maxChanges) return undefined;
  return {
    status: 'False',
    reason: 'HOOKNOTDETERMINISTIC',
    message: `hook of registration ${snapshot.registration.name}: its replies differ although nothing changed; the children are not changed until two replies are the same`,
    retry: 'soon',
  };
}

function applyStep(
  snapshot: InstanceSnapshot,
  { children, phaseReplies }: Ready,
  input: Children,
): ReconcileStep {
  const isWhole = phaseReplies.every(({ fault }) => fault === undefined);
  return {
    type: 'apply',
    children: listOfChildren(children),
    // Without a reply of the hook it is not known which children to prune.
    prune: isWhole ? childrenToPrune(snapshot, children) : [],
    tryFirst: children !== input,
  };
}

function refusalOf(
  { applied = [] }: InstanceSnapshot,
  isShapedByHook: boolean,
): Pick<FinishInput, 'problem'> {
  const refused = applied.flatMap(({ key, result }) =>
    result.type === 'refused' ? [{ key, ...result }] : [],
  );
  const [first] = refused;
  if (first === undefined) return {};
  const isHooks = isShapedByHook && first.isTry;
  const message = `the ${first.key} was rejected: ${first.message}${isHooks ? ' (with the changes of the hook; nothing was applied)' : ''}`;
  const reason = isHooks ? 'PATCHREJECTED' : 'APPLYFAILED';
  return { problem: { status: 'False', reason, message, retry: isHooks ? 'seldom' : 'soon' } };
}
