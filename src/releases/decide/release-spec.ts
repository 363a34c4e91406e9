import type { CanaryStep } from '#releases/model/canary-step.ts';
import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import type { GameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import type { PodHook, PreDeleteHook } from '#releases/kinds/pod-hook.ts';
import { scaledValue } from '#kube/workload/int-or-percent.ts';
import { readStep } from '#releases/model/read.ts';
import type { KeptRuns } from './steps/end-runs.ts';
import { keptOld } from './steps/partition.ts';
import type { InPlacePolicy } from './in-place-state.ts';
import type { UpdateType } from '#releases/kinds/workload-parts.ts';

/** The part of the spec that both kinds of workload share. */
export type ReleaseSpec = {
  readonly replicas: number;
  /** Undefined: no canary block. */
  readonly steps: readonly CanaryStep[] | undefined;
  /** Whether no step ends while updated pods are not ready. */
  readonly isHeldByUnready: boolean;
  readonly paused: boolean;
  /** Whether only a promotion ends the pause of a step. */
  readonly needsApproval: boolean;
  /** How many finished HookRuns of earlier releases are kept. */
  readonly keptRuns: KeptRuns;
  readonly type: UpdateType;
  /** Number of pods that stay old without canary steps. */
  readonly partition: number;
  readonly maxUnavailable: number;
  readonly maxSurge: number;
  readonly minReadySeconds: number;
  readonly progressDeadlineSeconds: number;
  readonly graceSeconds: number;
  readonly policy: InPlacePolicy;
  readonly inPlaceDeadlineSeconds: number;
  readonly isHotPatchForced: boolean;
  readonly preDelete: PreDeleteHook | undefined;
  readonly preInplace: PodHook | undefined;
  readonly postInplace: PodHook | undefined;
};

type Amount = number | string | undefined;
type Amounts = {
  readonly partition: Amount;
  readonly maxUnavailable: Amount;
  readonly maxSurge: Amount;
  readonly minReadySeconds?: number | undefined;
};

export function deploymentReleaseSpec(spec: GameDeployment['spec']): ReleaseSpec {
  const { partition, maxUnavailable, maxSurge } = spec.updateStrategy ?? {};
  return releaseSpecOf(spec, { partition, maxUnavailable, maxSurge, minReadySeconds: spec.minReadySeconds });
}

/** A surge needs podManagementPolicy Parallel. */
export function statefulReleaseSpec(spec: GameStatefulSet['spec']): ReleaseSpec {
  const { partition, maxUnavailable, maxSurge } = spec.updateStrategy?.rollingUpdate ?? {};
  return releaseSpecOf(spec, { partition, maxUnavailable, maxSurge: isOrdered(spec) ? 0 : maxSurge });
}

/** Whether the pods of a GameStatefulSet are made one after the other. */
export const isOrdered = ({ podManagementPolicy }: GameStatefulSet['spec']): boolean =>
  podManagementPolicy !== 'Parallel';

function releaseSpecOf(
  spec: GameDeployment['spec'] | GameStatefulSet['spec'],
  { partition, maxUnavailable = '25%', minReadySeconds = 0, ...amounts }: Amounts,
): ReleaseSpec {
  const { replicas = 1, updateStrategy = {}, progressDeadlineSeconds = 600 } = spec;
  const { paused = false, type = 'RollingUpdate', canary, hotPatchStrategy } = updateStrategy;
  // A surge would be an update that no user asked for by deleting a pod.
  const maxSurge = type === 'OnDelete' ? 0 : scaledValue(amounts.maxSurge, replicas, 'up');
  return {
    replicas,
    ...canaryOf(canary),
    paused,
    needsApproval: updateStrategy.resumePolicy === 'Approval',
    keptRuns: keptRunsOf(spec),
    type,
    partition: keptOld(partition, replicas),
    // Rounded up without a surge, so that at least one pod can be updated.
    maxUnavailable: scaledValue(maxUnavailable, replicas, maxSurge > 0 ? 'down' : 'up'),
    maxSurge,
    minReadySeconds,
    progressDeadlineSeconds,
    ...inPlaceOf(updateStrategy.inPlaceUpdateStrategy),
    isHotPatchForced: hotPatchStrategy?.force ?? false,
    preDelete: spec.preDeleteUpdateStrategy,
    preInplace: spec.preInplaceUpdateStrategy,
    postInplace: spec.postInplaceUpdateStrategy,
  };
}

type RunLimits = Pick<GameDeployment['spec'], 'successfulHookRunHistoryLimit' | 'failedHookRunHistoryLimit'>;

const keptRunsOf = ({
  successfulHookRunHistoryLimit: successful = 5,
  failedHookRunHistoryLimit: others = 5,
}: RunLimits): KeptRuns => ({ successful, others });

type CanarySpec = NonNullable<NonNullable<GameDeployment['spec']['updateStrategy']>['canary']>;

const canaryOf = (canary: CanarySpec | undefined): Pick<ReleaseSpec, 'steps' | 'isHeldByUnready'> => ({
  steps: canary?.steps.map(readStep),
  isHeldByUnready: canary?.holdOnUnready ?? true,
});

type InPlace = NonNullable<NonNullable<GameDeployment['spec']['updateStrategy']>['inPlaceUpdateStrategy']>;

function inPlaceOf({ gracePeriodSeconds = 0, deadlineSeconds = 600, policy = 'DisOrdered' }: InPlace = {}) {
  return {
    graceSeconds: gracePeriodSeconds,
    inPlaceDeadlineSeconds: deadlineSeconds + gracePeriodSeconds,
    policy,
  };
}
