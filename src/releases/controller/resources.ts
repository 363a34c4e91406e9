import { gameDeployment } from '#releases/kinds/game-deployment.ts';
import { gameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import { resourceOf } from '#hooks/kinds/resources.ts';

export const gameDeployments = resourceOf(gameDeployment);
export const gameStatefulSets = resourceOf(gameStatefulSet);
