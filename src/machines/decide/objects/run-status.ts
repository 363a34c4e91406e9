import { without, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import type { OperationRunState } from './operation-state.ts';
import { statusAtRest, statusDuring, type OperationView } from './status.ts';

/** What the status of a run needs beside its state. */
export type RunStatusInputs = {
  /** The process that runs the operation. */
  readonly holder: string;
  /** `metadata.generation` of the object now. */
  readonly generation: number;
  /** `features.skipConditions` of the Cluster now. */
  readonly skips: readonly string[];
};

/** The status of the object, made from the status that the server has. */
export function runStatus(
  state: OperationRunState,
  inputs: RunStatusInputs,
  before: JsonObject,
  now: Instant,
): JsonObject {
  const { stage, about, pauses } = state;
  // The end of an operation also shows the result of its last step or gate.
  const status = statusDuring(without(before, 'pauseConditions'), viewOf(state, inputs), now);
  if (stage.type !== 'ended') return pauses === undefined ? status : { ...status, pauseConditions: pauses };
  const isGone = about.wanted.kind === (about.isCluster ? 'cluster.delete' : 'node.delete');
  const phase = isGone ? 'Terminating' : 'Running';
  return statusAtRest(status, { generation: inputs.generation, phase, changes: stage.changes }, now);
}

function viewOf(state: OperationRunState, { holder, generation, skips }: RunStatusInputs): OperationView {
  const { about, stage, plan, progress, gates: states, holds, trouble, failures, retryAt, hostKeys } = state;
  const {
    steps: _steps,
    gates: _gates,
    retryAt: _retryAt,
    failures: _failures,
    holder: _holder,
    ...operation
  } = about.operation;
  const isHeld = stage.type !== 'waiting' && stage.type !== 'refused';
  return {
    kind: about.wanted.kind,
    isCluster: about.isCluster,
    operation: {
      ...operation,
      ...(isHeld && { holder }),
      observedGeneration: about.generation,
      ...(failures > 0 && { failures }),
    },
    generation,
    progress,
    gates: { states, holds },
    planned: plan?.planned,
    trouble,
    retryAt,
    hostKeys,
    skips,
  };
}
