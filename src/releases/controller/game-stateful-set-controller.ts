import { readGameStatefulSet } from '#releases/model/read.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { decideGameStatefulSet } from '#releases/decide/game-stateful-set/decide.ts';
import { statefulReleaseSpec } from '#releases/decide/release-spec.ts';
import type { Controller } from '#loop/controller.ts';
import { gameStatefulSets } from './resources.ts';
import type { WorkloadKind } from './workload-kind.ts';
import { workloadController } from './workload-controller.ts';

export const gameStatefulSetKind: WorkloadKind = {
  kind: 'GameStatefulSet',
  resource: gameStatefulSets,
  name: 'gamestatefulset',
  component: 'bcs-gamestatefulset-operator',
  hasClaims: true,
  decide: (snapshot) => decideGameStatefulSet(snapshot, readGameStatefulSet(snapshot.workload).spec),
  releaseSpec: (workload) => statefulReleaseSpec(readGameStatefulSet(workload).spec),
  // Its pods have fixed names and are created one by one.
  newPods: () => ({ type: 'pods', pods: [] }),
};

export const gameStatefulSetController = (deps: ControlDeps): Controller =>
  workloadController(deps, gameStatefulSetKind);
