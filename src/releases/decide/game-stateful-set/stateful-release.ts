import type { GameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import type { DeletePodDeps } from '#releases/decide/delete-pod.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import type { Release } from '#releases/decide/release.ts';
import type { KubeObject } from '#kube/object.ts';
import type { StatefulSnapshot } from './snapshot.ts';

/** One look at a GameStatefulSet: what all of its parts need. */
export type StatefulRelease = {
  readonly snapshot: StatefulSnapshot;
  readonly spec: GameStatefulSet['spec'];
  readonly release: Release;
  readonly leaving: DeletePodDeps;
  /** One change at a time, in the order of the ordinals. */
  readonly isOrdered: boolean;
  readonly targetRevision: string;
  /** The revision of pods that stay old. */
  readonly kept: KubeObject;
  /** Claims to make for pods that are there. */
  readonly claims: KubeObject[];
};

/** `wait`: what comes after it is left to a later look. */
export type Verdict = 'go on' | 'wait';

export const waitFor = ({ release }: StatefulRelease, message: string): 'wait' => {
  release.draft.blocker({ reason: 'WaitingForPods', message });
  return 'wait';
};

/** The end of the name of a pod. */
export const instanceOf = ({ facts }: ReleasePod): string =>
  facts.name.slice(facts.name.lastIndexOf('-') + 1);
