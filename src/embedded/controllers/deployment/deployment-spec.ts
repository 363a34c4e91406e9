import { numberAt, objectAt, textAt, at } from '#base/json.ts';
import { scaledValue } from '#kube/workload/int-or-percent.ts';
import type { KubeObject } from '#kube/object.ts';

/** The spec of a Deployment, with all percentages resolved. */
export type DeploymentSpec = {
  readonly replicas: number;
  readonly isRolling: boolean;
  readonly isPaused: boolean;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  readonly minReadySeconds: number;
  /** Undefined: there is no deadline. */
  readonly progressDeadlineSeconds: number | undefined;
  readonly historyLimit: number | undefined;
};

/** The value that means: no deadline. */
const forever = 2_147_483_647;

export function deploymentSpec(deployment: KubeObject): DeploymentSpec {
  const replicas = numberAt(deployment, 'spec', 'replicas') ?? 1;
  const isRolling = textAt(deployment, 'spec', 'strategy', 'type') === 'RollingUpdate';
  const rolling = objectAt(deployment, 'spec', 'strategy', 'rollingUpdate');
  const surge = scaledValue(rolling?.['maxSurge'], replicas, 'up');
  const unavailable = scaledValue(rolling?.['maxUnavailable'], replicas, 'down');
  // Neither a surge nor an unavailable pod: the rollout could never progress.
  const gap = surge === 0 && unavailable === 0 ? 1 : unavailable;
  return {
    replicas,
    isRolling,
    isPaused: at(deployment, 'spec', 'paused') === true,
    maxSurge: isRolling ? surge : 0,
    maxUnavailable: isRolling && replicas > 0 ? Math.min(gap, replicas) : 0,
    minReadySeconds: numberAt(deployment, 'spec', 'minReadySeconds') ?? 0,
    progressDeadlineSeconds: limited(numberAt(deployment, 'spec', 'progressDeadlineSeconds')),
    historyLimit: limited(numberAt(deployment, 'spec', 'revisionHistoryLimit')),
  };
}

const limited = (value: number | undefined): number | undefined => (value === forever ? undefined : value);
