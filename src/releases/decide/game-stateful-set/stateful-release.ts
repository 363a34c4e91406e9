import type { GameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import type { DecisionPart } from '#releases/decide/decision-draft.ts';
import type { ReleasePod } from '#releases/decide/pod-view.ts';
import type { Release } from '#releases/decide/release.ts';
import type { KubeObject } from '#kube/object.ts';
import type { StatefulSnapshot } from './snapshot.ts';

/** A release of a GameStatefulSet. */
export type StatefulRelease = {
  readonly snapshot: StatefulSnapshot;
  readonly spec: GameStatefulSet['spec'];
  readonly release: Release;
  /** One change at a time, in the order of the ordinals. */
  readonly isOrdered: boolean;
  readonly targetRevision: string;
  /** The revision of pods that stay old. */
  readonly kept: KubeObject;
};

/** Changes of pods. `isBlocked`: the changes after them wait for a later reconcile. */
export type PodChanges = { readonly parts: readonly DecisionPart[]; readonly isBlocked: boolean };

export const noChanges: PodChanges = { parts: [], isBlocked: false };

export const waitFor = (message: string): PodChanges => ({
  parts: [{ blockers: [{ reason: 'WaitingForPods', message }] }],
  isBlocked: true,
});

/** The end of the name of a pod. */
export const instanceOf = ({ facts }: ReleasePod): string =>
  facts.name.slice(facts.name.lastIndexOf('-') + 1);
