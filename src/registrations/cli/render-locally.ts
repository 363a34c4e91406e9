import type { EventNote as Said } from '#releases/decide/model/action.ts';
import type { CycleFacts, Step } from '#registrations/decide/cycle.ts';
import { freshMemory } from '#registrations/decide/cycle.ts';
import { decideReconcile } from '#registrations/decide/decide-reconcile.ts';
import { inspectCrd, type InstanceKind } from '#registrations/decide/inspect-crd.ts';
import { referenceKey } from '#registrations/decide/references.ts';
import { finalizer, pausedAnnotation, type Registration } from '#registrations/decide/registration.ts';
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

/** One reconciliation as the controller would do it, but for the writes. */
export async function renderLocally(given: LocalGiven, ask: AskHook): Promise<LocalRender> {
  let facts = factsOf(given);
  let children: readonly KubeObject[] = [];
  let isUnreachable = false;
  for (;;) {
    const step = decideReconcile(facts);
    if (step.type === 'finish') {
      const isFailed = step.outcome === 'failed';
      const notes = [...restNotes(facts), ...step.events.map(noteOf)];
      return { instance: facts.instance, children, notes, isFailed, isUnreachable };
    }
    if (step.type === 'call') {
      const answer = await ask(step.phase, step.request);
      isUnreachable ||= answer.type === 'failed';
      facts = { ...facts, answers: { ...facts.answers, [step.phase]: answer } };
    } else if (step.type === 'apply') {
      children = step.children.map(({ object }) => object);
      facts = { ...facts, applied: [] };
    } else {
      facts = imagined(facts, step, given);
    }
  }
}

/** Why nothing is printed though nothing went wrong. */
function restNotes({ instance }: CycleFacts): readonly string[] {
  if (annotationsOf(instance)[pausedAnnotation] === 'true')
    return [`note: the annotation ${pausedAnnotation} lets it rest, so nothing is done for it`];
  return isDeleting(instance) ? ['note: it is being deleted, so nothing is rendered for it'] : [];
}

const noteOf = ({ type, message }: Said): string => `${type === 'Warning' ? 'warning' : 'note'}: ${message}`;

/** What the other steps would bring. */
function imagined(
  facts: CycleFacts,
  step: Exclude<Step, { type: 'finish' | 'call' | 'apply' }>,
  given: LocalGiven,
): CycleFacts {
  switch (step.type) {
    case 'fetch': {
      const known = objectsByKey(given.others, given.flags.namespace);
      const fetched = step.references.map((each) => {
        const key = referenceKey(each);
        return [key, known.get(key)] as const;
      });
      return { ...facts, references: new Map([...facts.references, ...fetched]) };
    }
    case 'add-finalizer':
      return { ...facts, instance: withFinalizers(facts.instance, (list) => [...list, finalizer]) };
    case 'remove-finalizer':
      return {
        ...facts,
        instance: withFinalizers(facts.instance, (list) => list.filter((each) => each !== finalizer)),
      };
    case 'create-run':
      return facts;
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

function factsOf({ registration, instance, crd, flags }: LocalGiven): CycleFacts {
  const inspected = crd === undefined ? undefined : inspectCrd(crd);
  const placed = withMeta(instance, {
    namespace: namespaceOf(instance) || flags.namespace,
    uid: textAt(instance, 'metadata', 'uid') ?? nobody,
    generation: metaOf(instance)['generation'] ?? 1,
  });
  return {
    // A gate asks the cluster; what would be applied behind it is what is wanted here.
    registration: { ...registration, gate: undefined },
    kind: inspected?.type === 'usable' ? inspected.kind : unknownKind(instance),
    surroundings: flags,
    instance: placed,
    now: systemClock.now(),
    chance: 0,
    memory: freshMemory,
    references: new Map(),
    live: [],
    answers: {},
  };
}

/** Without a CRD nothing is known of the status. */
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
