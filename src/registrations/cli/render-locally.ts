import type { InstanceEvent, InstanceSnapshot, ReconcileStep } from '#registrations/decide/cycle.ts';
import { freshMemory } from '#registrations/decide/cycle.ts';
import { decideReconcile } from '#registrations/decide/decide-reconcile.ts';
import { inspectCrd, type InstanceKind } from '#registrations/decide/inspect-crd.ts';
import { referenceKey } from '#registrations/decide/references.ts';
import { finalizer, pausedAnnotation, type Registration } from '#registrations/model/registration.ts';
import { listAt, textAt } from '#base/json.ts';
import { systemClock } from '#edge/clock.ts';
import {
  annotationsOf,
  apiVersionOf,
  isDeleting,
  kindOf,
  metaOf,
  namespaceOf,
  withMeta,
  type KubeObject,
} from '#kube/object.ts';
import type { AskHook } from './ask-hook.ts';
import { objectsByKey } from './read-files.ts';

export type LocalGiven = {
  readonly registration: Registration;
  readonly instance: KubeObject;
  readonly others: readonly KubeObject[];
  readonly crd: KubeObject | undefined;
  readonly flags: { readonly namespace: string; readonly clusterDomain: string };
};

export type LocalRender = {
  readonly instance: KubeObject;
  readonly children: readonly KubeObject[];
  readonly notes: readonly string[];
  readonly isFailed: boolean;
  readonly isUnreachable: boolean;
};

/** One reconciliation like that of the controller, without writes. */
export async function renderLocally(given: LocalGiven, ask: AskHook): Promise<LocalRender> {
  let snapshot = snapshotOf(given);
  let children: readonly KubeObject[] = [];
  let isUnreachable = false;
  for (;;) {
    const step = decideReconcile(snapshot);
    if (step.type === 'finish') {
      const isFailed = step.outcome === 'failed';
      const notes = [...restNotes(snapshot), ...step.events.map(noteOf)];
      return { instance: snapshot.instance, children, notes, isFailed, isUnreachable };
    }
    if (step.type === 'call') {
      const answer = await ask(step.phase, step.request);
      isUnreachable ||= answer.type === 'failed';
      snapshot = { ...snapshot, answers: { ...snapshot.answers, [step.phase]: answer } };
    } else if (step.type === 'apply') {
      children = step.children.map(({ object }) => object);
      snapshot = { ...snapshot, applied: [] };
    } else {
      snapshot = imagined(snapshot, step, given);
    }
  }
}

/** Why nothing is rendered without an error. */
function restNotes({ instance }: InstanceSnapshot): readonly string[] {
  if (annotationsOf(instance)[pausedAnnotation] === 'true')
    return [`note: the annotation ${pausedAnnotation} pauses it, so nothing is done for it`];
  return isDeleting(instance) ? ['note: it is being deleted, so nothing is rendered for it'] : [];
}

const noteOf = ({ type, message }: InstanceEvent): string =>
  `${type === 'Warning' ? 'warning' : 'note'}: ${message}`;

/** The simulated result of the other steps. */
function imagined(
  snapshot: InstanceSnapshot,
  step: Exclude<ReconcileStep, { type: 'finish' | 'call' | 'apply' }>,
  given: LocalGiven,
): InstanceSnapshot {
  switch (step.type) {
    case 'fetch': {
      const known = objectsByKey(given.others, given.flags.namespace);
      const fetched = step.references.map((each) => {
        const key = referenceKey(each);
        return [key, known.get(key)] as const;
      });
      return { ...snapshot, references: new Map([...snapshot.references, ...fetched]) };
    }
    case 'add-finalizer':
      return { ...snapshot, instance: withFinalizers(snapshot.instance, (list) => [...list, finalizer]) };
    case 'remove-finalizer':
      return {
        ...snapshot,
        instance: withFinalizers(snapshot.instance, (list) => list.filter((each) => each !== finalizer)),
      };
    case 'create-run':
      return snapshot;
  }
}

function withFinalizers(
  instance: KubeObject,
  change: (list: readonly string[]) => readonly string[],
): KubeObject {
  const list = listAt(instance, 'metadata', 'finalizers').filter((each) => typeof each === 'string');
  return withMeta(instance, { finalizers: change(list) });
}

const nobody = '00000000-0000-0000-0000-000000000000';

function snapshotOf({ registration, instance, crd, flags }: LocalGiven): InstanceSnapshot {
  const inspected = crd === undefined ? undefined : inspectCrd(crd);
  const placed = withMeta(instance, {
    namespace: namespaceOf(instance) || flags.namespace,
    uid: textAt(instance, 'metadata', 'uid') ?? nobody,
    generation: metaOf(instance)['generation'] ?? 1,
  });
  return {
    // A gate needs a cluster. Render what is applied when it is open.
    registration: { ...registration, gate: undefined },
    kind: inspected?.type === 'usable' ? inspected.kind : unknownKind(instance),
    environment: flags,
    instance: placed,
    now: systemClock.now(),
    chance: 0,
    memory: freshMemory,
    references: new Map(),
    live: [],
    answers: {},
  };
}

/** Without a CRD the schema of the status is not known. */
function unknownKind(instance: KubeObject): InstanceKind {
  const [group = '', version = ''] = apiVersionOf(instance).split('/');
  const supports = {
    subresource: false,
    observedGeneration: false,
    annotations: false,
    address: false,
    conditions: false,
  };
  return { group, version, kind: kindOf(instance), plural: '', supports };
}
