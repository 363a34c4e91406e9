import type { GameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import type { LeaveDeps } from '#releases/decide/leave.ts';
import type { PodView } from '#releases/decide/pod-view.ts';
import type { Release } from '#releases/decide/release.ts';
import type { KubeObject } from '#kube/object.ts';
import type { StatefulSight } from './sight.ts';

/** One look at a GameStatefulSet: what all of its parts need. */
export type Look = {
  readonly sight: StatefulSight;
  readonly spec: GameStatefulSet['spec'];
  readonly release: Release;
  readonly leaving: LeaveDeps;
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

export const waitFor = ({ release }: Look, message: string): 'wait' => {
  release.findings.hold({ reason: 'WaitingForPods', message });
  return 'wait';
};

/** The end of the name of a pod. */
export const instanceOf = ({ facts }: PodView): string => facts.name.slice(facts.name.lastIndexOf('-') + 1);
