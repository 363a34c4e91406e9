import { listAt, numberAt, without, type Json, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import type { OperationStatus } from '#machines/kinds/operation-status.ts';
import type { GateView } from '#machines/decide/objects/conditions.ts';
import type { Wanted } from '#machines/decide/objects/due.ts';
import type { Planned } from '#machines/decide/objects/plan-object.ts';
import {
  statusAtRest,
  statusDuring,
  type OperationView,
  type Trouble,
} from '#machines/decide/objects/status.ts';
import type { Progress } from '#machines/decide/progress.ts';
import type { Subject } from './subject.ts';

/** What a turn knows of its operation. */
export type TurnFacts = {
  readonly turn: {
    readonly subject: Subject;
    readonly wanted: Wanted;
    readonly operation: OperationStatus;
    readonly progress: Progress;
    readonly gates: GateView['states'];
    readonly holds: GateView['holds'];
    readonly planned: Planned | undefined;
    readonly trouble: Trouble | undefined;
    readonly hostKeys: ReadonlyMap<string, string>;
    readonly pauses: Json | undefined;
  };
  /** Who works on it; nobody while it waits. */
  readonly holder?: string;
  /** The generation that its plan was made from. */
  readonly generation: number;
  readonly failures: number;
  readonly retryAt: Instant | undefined;
  /** What its end means for the status, when it has ended. */
  readonly final: JsonObject | undefined;
};

/** The object's status as it shall be now, made from the one that the server has. */
export function turnStatus(facts: TurnFacts, before: JsonObject, now: Instant): JsonObject {
  const { final, turn } = facts;
  const { subject, wanted, pauses } = turn;
  // Its end, too, says how its last step or question came out.
  const status = statusDuring(without(before, 'pauseConditions'), viewOf(facts), now);
  if (final === undefined) return pauses === undefined ? status : { ...status, pauseConditions: pauses };
  const isGone = wanted.kind === (subject.isCluster ? 'cluster.delete' : 'node.delete');
  const phase = isGone ? 'Terminating' : 'Running';
  return statusAtRest(status, { generation: ownGeneration(subject), phase, changes: final }, now);
}

/** The object's own, as all kinds say it. */
const ownGeneration = (subject: Subject): number => numberAt(subject.object(), 'metadata', 'generation') ?? 0;

function viewOf({ turn, ...facts }: TurnFacts): OperationView {
  const { subject, wanted, gates: states, holds, progress, planned, trouble, hostKeys } = turn;
  const { failures } = facts;
  const {
    steps: _,
    gates: _gates,
    retryAt: _retryAt,
    failures: _failures,
    holder: _holder,
    ...operation
  } = turn.operation;
  const skips = listAt(subject.cluster(), 'spec', 'features', 'skipConditions');
  return {
    kind: wanted.kind,
    isCluster: subject.isCluster,
    operation: {
      ...operation,
      ...(facts.holder !== undefined && { holder: facts.holder }),
      observedGeneration: facts.generation,
      ...(failures > 0 && { failures }),
    },
    generation: ownGeneration(subject),
    progress,
    gates: { states, holds },
    planned,
    trouble,
    retryAt: facts.retryAt,
    hostKeys,
    skips: skips.filter((each) => typeof each === 'string'),
  };
}
