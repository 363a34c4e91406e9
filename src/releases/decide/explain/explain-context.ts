import { numberAt, textAt, type JsonObject } from '#base/json.ts';
import { kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import type { CanaryStep } from '#releases/model/canary-step.ts';
import { readGameDeployment, readStep } from '#releases/model/read.ts';
import type { Decision, WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import { statusNow } from './status-now.ts';

/** How commands name the workload. */
export type ExplainSubject = {
  /** `gd/shop`. */
  readonly title: string;
  /** Flags with which a command reaches the same cluster and namespace, with a blank before each. */
  readonly flags: string;
};

/** What all parts of an explanation are computed from. */
export type ExplainContext = {
  readonly snapshot: WorkloadSnapshot;
  readonly decision: Decision;
  readonly subject: ExplainSubject;
  /** What the controller would write now. */
  readonly status: JsonObject;
  readonly reason: string;
  /** The fields that both kinds of workload have. */
  readonly spec: GameDeployment['spec'];
  readonly steps: readonly CanaryStep[];
  /** The index of the current step; undefined without steps, and when all are done. */
  readonly stepIndex: number | undefined;
  readonly replicas: number;
  readonly updateRevision: string;
  readonly stableRevision: string | undefined;
  readonly isAborted: boolean;
};

export function explainContext(
  snapshot: WorkloadSnapshot,
  decision: Decision,
  subject: ExplainSubject,
): ExplainContext {
  const { spec } = readGameDeployment(snapshot.workload);
  const steps = (spec.updateStrategy?.canary?.steps ?? []).map(readStep);
  const { status, reason } = statusNow(snapshot, decision);
  const index = numberAt(status, 'currentStepIndex');
  const updateRevision = nameOf(snapshot.updateRevision);
  return {
    snapshot,
    decision,
    subject,
    status,
    reason,
    spec,
    steps,
    stepIndex: index === undefined || index >= steps.length ? undefined : index,
    replicas: spec.replicas ?? 1,
    updateRevision,
    stableRevision: textAt(status, 'canary', 'revision'),
    isAborted: textAt(status, 'canary', 'abortedRevision') === updateRevision,
  };
}

/** `boathook release promote gd/shop`. */
export const releaseCommand = ({ subject }: ExplainContext, verb: string, more = ''): string =>
  `boathook release ${verb} ${subject.title}${more}${subject.flags}`;

export const hookCommand = ({ subject }: ExplainContext, words: string): string =>
  `boathook hook ${words}${subject.flags}`;

export const kubectl = ({ subject }: ExplainContext, words: string): string =>
  `kubectl ${words}${subject.flags}`;

/** The workload as kubectl names it: `gamedeployment/shop`. */
export const kubectlName = (workload: KubeObject): string =>
  `${kindOf(workload).toLowerCase()}/${nameOf(workload)}`;

export const namespaceIn = ({ snapshot }: ExplainContext): string => namespaceOf(snapshot.workload);
