import type { JsonObject } from '#base/json.ts';
import { instant } from '#base/time.ts';
import { decideGameDeployment } from '#releases/decide/game-deployment/decide.ts';
import { newPods } from '#releases/decide/game-deployment/new-pods.ts';
import type { WorkloadSnapshot } from '#releases/decide/snapshot.ts';
import { gateType, inPlaceStateAnnotation } from '#releases/model/well-known.ts';
import { newRevision } from '#kube/workload/revisions.ts';
import type { GameDeployment } from '#releases/kinds/game-deployment.ts';
import { nameOf, withMeta, type KubeObject } from '#kube/object.ts';
import { median, percentile } from '../apiserver/statistics.ts';
import type { WorkloadsEffort, WorkloadsMeasurement } from './figures.ts';
import { imageOf, workload } from './workload-objects.ts';

const now = instant(Date.UTC(2026, 0, 5, 12));
const time = '2026-01-05T11:00:00Z';

/** How long the judgement takes in the middle of a release: half of the pods are to be updated now. */
export function decision({ pods: count, decisions }: WorkloadsEffort): WorkloadsMeasurement {
  const strategy = { maxUnavailable: '50%', canary: { steps: [{ partition: '50%' }, { pause: {} }] } };
  const before = withMeta(workload('shop', count, strategy), { uid: 'w', generation: 2 });
  const stable = newRevision(before, { number: 1, collisions: 0, hashLabel: 'hash' });
  const text = JSON.stringify(before).replace(imageOf(1), imageOf(2));
  const object = JSON.parse(text) as KubeObject;
  const update = newRevision(object, { number: 2, collisions: 0, hashLabel: 'hash' });
  const spec = (object as unknown as GameDeployment).spec;
  const pods = podsOf(before, stable, count);
  const first = look(object, { stable, update, pods });
  const status = decideGameDeployment(first, spec).status;
  const under = { ...object, status: { ...status } };
  const fresh: number[] = [];
  const known: number[] = [];
  for (let turn = 0; turn < decisions; turn++) {
    // Objects that were just heard of: nothing is remembered of them.
    const snapshot = look(under, { stable, update, pods: pods.map((pod) => ({ ...pod })) });
    fresh.push(timed(() => decideGameDeployment(snapshot, spec)));
    known.push(timed(() => decideGameDeployment(snapshot, spec)));
  }
  const { actions } = decideGameDeployment(look(under, { stable, update, pods }), spec);
  if (actions.length < count / 2) throw new Error('the decision updates too few pods');
  return {
    id: 'decision',
    value: median(known),
    rounds: [median(known), median(fresh)],
    details: { allPodsNewMillis: median(fresh), p99Millis: percentile(known, 0.99), acts: actions.length },
  };
}

function timed(action: () => unknown): number {
  const began = performance.now();
  action();
  return performance.now() - began;
}

function look(
  object: KubeObject,
  given: { readonly stable: KubeObject; readonly update: KubeObject; readonly pods: readonly KubeObject[] },
): WorkloadSnapshot {
  return {
    workload: object,
    updateRevision: given.update,
    revisions: [given.stable, given.update],
    pods: given.pods,
    runs: [],
    isRunName: () => false,
    template: () => undefined,
    node: () => undefined,
    budgets: [],
    isNamespaceEnding: false,
    hostIP: '',
    now,
  };
}

function podsOf(object: KubeObject, revision: KubeObject, count: number): readonly KubeObject[] {
  const ids = Array.from({ length: count }, (_, number) => number.toString(36).padStart(5, '0'));
  const { spec } = object as unknown as GameDeployment;
  const made = newPods({ workload: object, spec, revision, ids, pods: [] });
  if (made.type === 'refused') throw new Error(made.message);
  return made.pods.map((pod, number) => {
    const annotations = { [inPlaceStateAnnotation]: updatedBefore(nameOf(revision)) };
    return {
      ...withMeta(pod, { uid: `u${number}`, creationTimestamp: time, annotations }),
      status: ready(pod),
    };
  });
}

/** Every pod has been updated in place before. */
const updatedBefore = (revision: string): string =>
  JSON.stringify({
    revision,
    updateTimestamp: '2026-01-05T11:00:00.000000Z',
    lastContainerStatuses: { server: { imageID: 'sha256:0', containerID: 'sim://0', restartCount: 0 } },
  });

const ready = (pod: KubeObject): JsonObject => ({
  phase: 'Running',
  conditions: ['Ready', gateType].map((type) => ({ type, status: 'True', lastTransitionTime: time })),
  containerStatuses: [
    {
      name: 'server',
      imageID: 'sha256:1',
      containerID: `sim://${nameOf(pod)}`,
      restartCount: 0,
      state: { running: { startedAt: time } },
    },
  ],
});
