import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { runLabels } from '#releases/model/run-labels.ts';
import { readStep } from '#releases/model/read.ts';
import { stepHashOf } from '#releases/decide/steps/step-hash.ts';
import type { KubeObject } from '#kube/object.ts';
import { decide, parallel, podFrom, setOf, snapshotOf, told } from './objects.ts';
import type { StatefulSnapshot } from '#releases/decide/game-stateful-set/snapshot.ts';

export type Row = {
  readonly name: string;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly pods?: readonly string[];
  readonly more?: Partial<StatefulSnapshot>;
  readonly actions: readonly string[];
  /** The reason why it does not move. */
  readonly reason?: string;
};

/** What follows from one look, as far as the row says something about it. */
export function found(row: Row): Pick<Row, 'actions' | 'reason'> {
  const set = setOf(row.spec ?? {}, row.status ?? {});
  const pods = (row.pods ?? []).map((each) => podFrom(set, each));
  const { actions, status } = decide(snapshotOf(set, pods, row.more));
  const progressing = listAt(status, 'conditions').find((each) => textAt(each, 'type') === 'Progressing');
  const reason = row.reason === undefined ? undefined : textAt(progressing, 'reason');
  return { actions: actions.map(told), ...(reason === undefined ? {} : { reason }) };
}

export const wanted = ({ actions, reason }: Row): Pick<Row, 'actions' | 'reason'> => ({
  actions,
  ...(reason === undefined ? {} : { reason }),
});

/** The release has begun at an earlier look. */
export const known = { updateRevision: 'new' };
export const type = (name: string, rollingUpdate: JsonObject = {}): JsonObject => ({
  updateStrategy: { type: name, rollingUpdate },
});
export const rolling = (rollingUpdate: JsonObject): JsonObject => type('RollingUpdate', rollingUpdate);
export const preDelete = { preDeleteUpdateStrategy: { hook: { templateName: 'test' } } };
export const five = (revision: string): readonly string[] =>
  [0, 1, 2, 3, 4].map((each) => `${each} ${revision}`);
export const lost = {
  node: () => ({ metadata: {}, status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } }),
};
export const claimed = {
  volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }],
};

/** Without the uid of a pod it is one of an older version. */
export const run = (
  point: 'pre-delete' | 'pre-inplace',
  ordinal: number,
  phase: string,
  podUid?: string,
): KubeObject => ({
  metadata: {
    name: `${point}-old-${ordinal}`,
    creationTimestamp: '2026-01-05T12:00:00Z',
    labels: runLabels({
      kind: 'GameStatefulSet',
      workload: 'web',
      revision: 'old',
      point,
      instance: String(ordinal),
      ...(podUid === undefined ? {} : { podUid }),
    }),
  },
  status: { phase },
});

export const steps = [{ partition: 3 }, { pause: {} }, { partition: 1 }];
export const canary = (stepIndex: number, more: JsonObject = {}): Pick<Row, 'spec' | 'status'> => ({
  spec: { ...parallel, updateStrategy: { canary: { steps }, rollingUpdate: { maxUnavailable: 5 } }, ...more },
  status: {
    updateRevision: 'new',
    currentStepIndex: stepIndex,
    currentStepHash: stepHashOf(steps.map(readStep)),
    canary: { revision: 'old' },
  },
});
export const surging = (maxSurge: number, more: JsonObject = {}): JsonObject => ({
  ...parallel,
  ...rolling({ maxUnavailable: 0, maxSurge, ...more }),
});
