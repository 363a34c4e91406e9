import { at, listAt, numberAt, textAt, type Json } from '#base/json.ts';
import { conditionOf } from '#kube/conditions.ts';
import { isDeleting, kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { identityOf } from '#releases/model/act-identity.ts';

/** An image of a template. */
export type ContainerImage = { readonly container: string; readonly image: string };

/** A release as one row of a list: what the workload alone shows. */
export type ReleaseSummary = {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** RFC 3339. */
  readonly created: string;
  /** As in the status; Pending: no controller has written a status yet. */
  readonly phase: string;
  /** Why it is in its phase, in one word; empty when it is complete. */
  readonly reason: string;
  readonly message: string;
  /** The current step, from 1; undefined without canary steps. */
  readonly step?: { readonly current: number; readonly count: number };
  /** The release and its step in one word, as `--expect` takes it. */
  readonly state: string;
  readonly images: readonly ContainerImage[];
  readonly replicas: {
    readonly desired: number;
    readonly total: number;
    readonly ready: number;
    readonly updated: number;
    readonly updatedReady: number;
  };
  /** Whether the status is about the spec as it is now. */
  readonly isObserved: boolean;
  readonly isDeleting: boolean;
};

export function releaseSummaryOf(workload: KubeObject): ReleaseSummary {
  const count = (name: string): number => numberAt(workload, 'status', name) ?? 0;
  const phase = phaseOf(workload);
  const step = stepOf(workload);
  return {
    kind: kindOf(workload),
    namespace: namespaceOf(workload),
    name: nameOf(workload),
    created: textAt(workload, 'metadata', 'creationTimestamp') ?? '',
    phase,
    reason: phase === 'Complete' ? '' : reasonOf(workload),
    message: textAt(workload, 'status', 'message') ?? '',
    ...(step === undefined ? {} : { step }),
    state: identityOf(workload),
    images: imagesOf(at(workload, 'spec', 'template')),
    replicas: {
      desired: numberAt(workload, 'spec', 'replicas') ?? 1,
      total: count('replicas'),
      ready: count('readyReplicas'),
      updated: count('updatedReplicas'),
      updatedReady: count('updatedReadyReplicas'),
    },
    isObserved: isObserved(workload),
    isDeleting: isDeleting(workload),
  };
}

const phaseOf = (workload: KubeObject): string => textAt(workload, 'status', 'phase') || 'Pending';

/** Statuses of older controllers have the reason only in the condition. */
const reasonOf = (workload: KubeObject): string => {
  const condition = textAt(conditionOf(workload, 'Progressing'), 'reason') ?? '';
  const word = textAt(workload, 'status', 'reason') ?? condition;
  return word === phaseOf(workload) ? '' : word;
};

const isObserved = (workload: KubeObject): boolean =>
  (numberAt(workload, 'status', 'observedGeneration') ?? 0) >=
  (numberAt(workload, 'metadata', 'generation') ?? 0);

function stepOf(workload: KubeObject): ReleaseSummary['step'] {
  const count = listAt(workload, 'spec', 'updateStrategy', 'canary', 'steps').length;
  const index = numberAt(workload, 'status', 'currentStepIndex');
  if (count === 0 || index === undefined) return undefined;
  return { current: Math.min(index + 1, count), count };
}

/** The images in a template of pods. */
export const imagesOf = (template: Json | undefined): readonly ContainerImage[] =>
  listAt(template, 'spec', 'containers').map((each) => ({
    container: textAt(each, 'name') ?? '',
    image: textAt(each, 'image') ?? '',
  }));
