import { readGameDeployment } from '#releases/model/read.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { decideGameDeployment } from '#releases/decide/game-deployment/decide.ts';
import { newPods } from '#releases/decide/game-deployment/new-pods.ts';
import { deploymentReleaseSpec } from '#releases/decide/release-spec.ts';
import type { Controller } from '#loop/controller.ts';
import { gameDeployments } from './resources.ts';
import type { WorkloadKind } from './workload-kind.ts';
import { workloadController } from './workload-controller.ts';

export const gameDeploymentKind: WorkloadKind = {
  kind: 'GameDeployment',
  resource: gameDeployments,
  name: 'gamedeployment',
  component: 'bcs-gamedeployment-operator',
  hasClaims: false,
  decide: (snapshot) => decideGameDeployment(snapshot, readGameDeployment(snapshot.workload).spec),
  releaseSpec: (workload) => deploymentReleaseSpec(readGameDeployment(workload).spec),
  newPods: (given) => newPods({ ...given, spec: readGameDeployment(given.workload).spec }),
};

export const gameDeploymentController = (deps: ControlDeps): Controller =>
  workloadController(deps, gameDeploymentKind);
