import type { Finish, InstanceSnapshot, ReconcileStep } from '#registrations/decide/cycle.ts';
import { decideReconcile } from '#registrations/decide/decide-reconcile.ts';
import { referenceKey } from '#registrations/decide/references.ts';
import type { ObjectReference } from '#registrations/model/registration.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import { applyChildren } from './apply-children.ts';
import { existingChildren, isSameObject, lookUp, type ApplyStep } from './existing-children.ts';
import { callHook } from './call-hook.ts';
import { createGateRun } from './gate-runs.ts';
import { addFinalizer, removeFinalizer } from './instance-finalizer.ts';
import type { ReconcileContext } from './instance-deps.ts';
import { instanceSnapshot, readReferences } from './instance-snapshot.ts';

export type ReconcileEnd = { readonly snapshot: InstanceSnapshot; readonly finish: Finish };

/** What is known of an instance before anything is done. */
export function takeSnapshot(
  { deps, reader, tracked }: ReconcileContext,
  instance: KubeObject,
): Promise<InstanceSnapshot> {
  const { registration, kind, environment, clock, random } = deps;
  const { memory, references } = tracked;
  return instanceSnapshot(reader, {
    registration,
    kind,
    environment,
    instance,
    now: clock.now(),
    chance: random.next(),
    memory,
    references,
  });
}

/** More steps than any reconciliation needs. */
const maxSteps = 40;

/** Decides, does the step, and decides again with its result. Undefined when the instance is gone. */
export async function runSteps(
  context: ReconcileContext,
  begun: InstanceSnapshot,
): Promise<ReconcileEnd | undefined> {
  let snapshot = begun;
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const step = decideReconcile(snapshot);
    if (step.type === 'finish') return { snapshot, finish: step };
    const next = await doStep(context, step, snapshot);
    if (next === undefined) return undefined;
    snapshot = { ...next, now: context.deps.clock.now() };
  }
  throw new Error(`the reconciliation did not finish after ${maxSteps} steps`);
}

async function doStep(
  context: ReconcileContext,
  step: Exclude<ReconcileStep, Finish>,
  snapshot: InstanceSnapshot,
): Promise<InstanceSnapshot | undefined> {
  const { deps, signal } = context;
  const { client, resource, events } = deps;
  const { instance } = snapshot;
  switch (step.type) {
    case 'fetch':
      return { ...snapshot, references: await fetchReferences(context, step.references, snapshot) };
    case 'add-finalizer': {
      const written = await addFinalizer(client, resource, instance, signal);
      return written === undefined ? undefined : takeSnapshot(context, written);
    }
    case 'remove-finalizer': {
      const written = await removeFinalizer(client, resource, instance, signal);
      for (const event of step.events) events.record(instance, event);
      return written === undefined ? undefined : takeSnapshot(context, written);
    }
    case 'call':
      return { ...snapshot, answers: { ...snapshot.answers, [step.phase]: await callHook(context, step) } };
    case 'create-run': {
      const run = await createGateRun(deps, step.run, instance, signal);
      return { ...snapshot, gate: { template: snapshot.gate?.template, run } };
    }
    case 'apply':
      return applyStep(context, step, snapshot);
  }
}

function fetchReferences(
  { reader, tracked }: ReconcileContext,
  wanted: readonly ObjectReference[],
  { references }: InstanceSnapshot,
): Promise<InstanceSnapshot['references']> {
  const known = tracked.references.filter((each) => references.has(referenceKey(each)));
  const added = wanted.filter((each) => !references.has(referenceKey(each)));
  tracked.references = [...known, ...added];
  return readReferences(reader, tracked.references);
}

async function applyStep(
  { deps, signal }: ReconcileContext,
  step: ApplyStep,
  snapshot: InstanceSnapshot,
): Promise<InstanceSnapshot> {
  const { client, children } = deps;
  const applyDeps = { client, recordWrite: (child: KubeObject) => children.recordWrite(child) };
  // The hook may have taken its time: a child that is gone meanwhile may be an object of somebody else by now.
  const shown = new Set(children.of(snapshot.instance).map(uidOf));
  const known = snapshot.live.filter(
    (each) => shown.has(uidOf(each)) || snapshot.found?.has(uidOf(each)) === true,
  );
  const found = await existingChildren(applyDeps, step, known, signal);
  // The next decision reports a conflict with objects that are not ours.
  if (found.length > 0) return withFound({ ...snapshot, live: known }, found);
  const { applied, live, pruned, mistaken } = await applyChildren(applyDeps, step, known, signal);
  children.forget(pruned);
  if (mistaken.length === 0 || snapshot.isLookedUpAgain === true) return { ...snapshot, applied, live };
  const there = await lookUp(applyDeps, mistaken, signal);
  const isDoubtful = (each: KubeObject): boolean => mistaken.some((child) => isSameObject(each, child));
  const isThere = (each: KubeObject): boolean => there.some((other) => uidOf(other) === uidOf(each));
  children.forget(live.filter((each) => isDoubtful(each) && !isThere(each)));
  const others = live.filter((each) => !isDoubtful(each));
  return withFound({ ...snapshot, live: others, isLookedUpAgain: true }, there);
}

/** With objects that were read by requests. */
const withFound = (snapshot: InstanceSnapshot, found: readonly KubeObject[]): InstanceSnapshot => ({
  ...snapshot,
  live: [...snapshot.live, ...found],
  found: new Set([...(snapshot.found ?? []), ...found.map(uidOf)]),
});
