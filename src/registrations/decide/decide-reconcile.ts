import { listAt } from '#base/json.ts';
import { annotationsOf, isDeleting } from '#kube/object.ts';
import { listOfChildren } from './children.ts';
import type { Children, CycleFacts, Moods, Step } from './cycle.ts';
import { decideDeletion } from './decide-deletion.ts';
import { finishCycle, rest, type Ending } from './finish-cycle.ts';
import { decideGate } from './gate.ts';
import { pruned, strangerOf } from './live-children.ts';
import { isNearLimit, mostChanges, nextMoods } from './moods.ts';
import { neededReferences, referenceKey } from './references.ts';
import { finalizer, pausedAnnotation } from './registration.ts';
import { shapeChildren, type Shaped } from './shape-children.ts';
import { isAsked } from './voices.ts';

/**
 * One reconciliation, step by step (§6.1): with what is known so far, what is to be done next. Whoever does it adds
 * what came of it and asks again, until the step is `finish`. Equal facts give equal steps.
 */
export function decideReconcile(facts: CycleFacts): Step {
  const { registration, instance, surroundings, memory, references } = facts;
  if (isDeleting(instance)) return decideDeletion(facts);
  if (annotationsOf(instance)[pausedAnnotation] === 'true') return rest(memory, 'paused');
  const isHeld = listAt(instance, 'metadata', 'finalizers').includes(finalizer);
  const mustHold = isAsked(registration, 'finalize');
  // Before the first call, so that nothing which the hook makes outside can be forgotten (D-08).
  if (mustHold && !isHeld) return { type: 'add-finalizer' };
  if (isHeld && !mustHold) return { type: 'remove-finalizer', events: [] };
  const needed = neededReferences(registration, instance, surroundings);
  const missing = needed.filter((each) => !references.has(referenceKey(each)));
  if (missing.length > 0) return { type: 'fetch', references: missing };
  const shaped = shapeChildren(facts);
  if (shaped.type === 'ask') return shaped.step;
  return shaped.type === 'stopped' ? stopped(facts, shaped) : settle(facts, shaped);
}

function stopped(facts: CycleFacts, { rendered, voices }: Shaped): Step {
  if (rendered.type === 'rendered') return finishCycle({ facts, voices, values: rendered.values });
  if (voices.some(({ fault }) => fault?.halt === true)) return finishCycle({ facts, voices });
  const { reason, message } = rendered;
  // Only a change of the instance or of the registration helps against these.
  const isFinal = reason === 'RENDERFAILED' || reason === 'REFERENCEREFUSED';
  const status = isFinal ? 'False' : 'Unknown';
  const retry = isFinal ? 'never' : 'soon';
  return finishCycle({ facts, voices, trouble: { status, reason, message, retry } });
}

type Ready = Extract<Shaped, { type: 'shaped' }>;

/** Everything is known that should be applied; whether it may be, and what became of it. */
function settle(facts: CycleFacts, shaped: Ready): Step {
  const { rendered, voices, children } = shaped;
  const { children: input, values } =
    rendered.type === 'rendered' ? rendered : { children: {} as Children, values: undefined };
  const ending = { facts, voices, ...(values === undefined ? {} : { values }) };
  const end = (how: Partial<Ending>): Step =>
    finishCycle({ ...ending, moods: moodsOf(facts, input, children), ...how });
  const hindrance = hindranceOf(facts, input, children);
  if (hindrance !== undefined) return end({ trouble: hindrance });
  const gate = decideGate(facts);
  if (gate.type === 'create') return { type: 'create-run', run: gate.run };
  if (gate.type === 'shut') {
    const status = gate.reason === 'GATECLOSED' ? 'False' : 'Unknown';
    const { reason, message } = gate;
    return end({ outcome: 'waiting', trouble: { status, reason, message, retry: 'never' } });
  }
  if (facts.applied === undefined) return applyStep(facts, shaped, input);
  return end(refusalOf(facts, children !== input));
}

/** Only a hook can change its mind. It costs a look at every byte, so it is asked for at the end only. */
const moodsOf = (facts: CycleFacts, input: Children, children: Children): Moods | undefined =>
  facts.registration.hook === undefined
    ? undefined
    : nextMoods(facts.memory.moods, input, children, facts.now);

function hindranceOf(facts: CycleFacts, input: Children, children: Children): Ending['trouble'] {
  const stranger = strangerOf(facts, children);
  if (stranger !== undefined)
    return { status: 'False', reason: 'CHILDCONFLICT', message: stranger, retry: 'soon' };
  if (!isNearLimit(facts.memory.moods)) return undefined;
  const moods = moodsOf(facts, input, children);
  if (moods === undefined || moods.changes < mostChanges) return undefined;
  return {
    status: 'False',
    reason: 'HOOKNOTDETERMINISTIC',
    message: `hook of registration ${facts.registration.name}: it wants something else every time though nothing changed; the children stay as they are until it makes up its mind`,
    retry: 'soon',
  };
}

function applyStep(facts: CycleFacts, { children, voices }: Ready, input: Children): Step {
  const isWhole = voices.every(({ fault }) => fault === undefined);
  return {
    type: 'apply',
    children: listOfChildren(children),
    // What a hook that failed would have wanted is not known.
    prune: isWhole ? pruned(facts, children) : [],
    tryFirst: children !== input,
  };
}

function refusalOf({ applied = [] }: CycleFacts, isShapedByHook: boolean): Pick<Ending, 'trouble'> {
  const refused = applied.flatMap(({ key, result }) =>
    result.type === 'refused' ? [{ key, ...result }] : [],
  );
  const [first] = refused;
  if (first === undefined) return {};
  const isHooks = isShapedByHook && first.isTry;
  const message = `the ${first.key} was refused: ${first.message}${isHooks ? ' (with the changes of the hook; nothing was applied)' : ''}`;
  const reason = isHooks ? 'PATCHREJECTED' : 'APPLYFAILED';
  return { trouble: { status: 'False', reason, message, retry: isHooks ? 'seldom' : 'soon' } };
}
