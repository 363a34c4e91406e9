import { gameDeployment } from '#api/game/game-deployment.ts';
import { gameStatefulSet } from '#api/game/game-stateful-set.ts';
import { resourceOf } from '#control/hook/resources.ts';

export const gameDeployments = resourceOf(gameDeployment);
export const gameStatefulSets = resourceOf(gameStatefulSet);
