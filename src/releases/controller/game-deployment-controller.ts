import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { decideGameDeployment } from '#releases/decide/game-deployment/decide.ts';
import { newPods } from '#releases/decide/game-deployment/new-pods.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Controller } from '#loop/controller.ts';
import { gameDeployments } from './resources.ts';
import { workloadController } from './workload-controller.ts';

/** Keeps GameDeployments. */
export const gameDeploymentController = (deps: ControlDeps): Controller =>
  workloadController(deps, {
    kind: 'GameDeployment',
    resource: gameDeployments,
    name: 'gamedeployment',
    component: 'bcs-gamedeployment-operator',
    hasClaims: false,
    decide: (snapshot) => decideGameDeployment(snapshot, specOf(snapshot.workload)),
    newPods: (given) => newPods({ ...given, spec: specOf(given.workload) }),
  });

/** The server has checked it against the schema that the type was made from. */
const specOf = (workload: KubeObject): GameDeployment['spec'] => (workload as unknown as GameDeployment).spec;
