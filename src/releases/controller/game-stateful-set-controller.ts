import type { GameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import type { ReleaseAction } from '#releases/decide/action.ts';
import { decideGameStatefulSet } from '#releases/decide/game-stateful-set/decide.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Controller } from '#loop/controller.ts';
import { gameStatefulSets } from './resources.ts';
import { workloadController } from './workload-controller.ts';

/** Keeps GameStatefulSets. */
export const gameStatefulSetController = (deps: ControlDeps): Controller =>
  workloadController(deps, {
    kind: 'GameStatefulSet',
    resource: gameStatefulSets,
    name: 'gamestatefulset',
    component: 'bcs-gamestatefulset-operator',
    hasClaims: true,
    decide: (snapshot, claim) => {
      const { claims, ...decision } = decideGameStatefulSet(
        { ...snapshot, claim },
        specOf(snapshot.workload),
      );
      const missing = claims.map((each): ReleaseAction => ({ type: 'create-claim', claim: each }));
      return { ...decision, actions: [...missing, ...decision.actions] };
    },
    // Its pods have names of their own, and are made one by one.
    newPods: () => ({ type: 'pods', pods: [] }),
  });

/** The server has checked it against the schema that the type was made from. */
const specOf = (workload: KubeObject): GameStatefulSet['spec'] =>
  (workload as unknown as GameStatefulSet).spec;
