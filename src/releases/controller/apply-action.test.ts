import { expect, test } from 'vitest';
import { virtualTime } from '#edge/virtual-time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { Newest } from '#loop/owned/newest.ts';
import { resourceVersionOf, withMeta, type KubeObject } from '#kube/object.ts';
import { gateType } from '#releases/model/well-known.ts';
import { applyAction, type ApplyActionDeps } from './apply-action.ts';
import { Disruptions } from './disruptions.ts';
import { LostRequests } from './lost-requests.ts';

const pod: KubeObject = {
  kind: 'Pod',
  metadata: { name: 'g-a', namespace: 'default', uid: 'u1', resourceVersion: '5' },
  spec: { containers: [{ name: 'c', image: 'app:1' }], readinessGates: [{ conditionType: gateType }] },
  status: {
    phase: 'Running',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: gateType, status: 'True' },
    ],
  },
};
const refused: Outcome = { type: 'forbidden', code: 403, message: 'no', status: {} };
const none = { get: () => undefined, list: () => [] };

test('each write of a pod names the version that it was decided for, also that of a pod in service', async () => {
  const sent: unknown[] = [];
  const patch: KubeClient['patch'] = (_resource, _key, { body }) => {
    sent.push((body as KubeObject)['metadata']);
    return Promise.resolve({
      type: 'ok',
      object: withMeta(pod, { resourceVersion: String(5 + sent.length) }),
    });
  };
  const events: Partial<EventRecorder> = { record: () => undefined };
  const deps = {
    client: { patch },
    clock: virtualTime(0).clock,
    events,
    newest: new Newest(),
    disruptions: new Disruptions({ budgets: none, pods: none }),
  } as unknown as ApplyActionDeps;
  const labels = { labels: { revision: '2' } };
  const signal = new AbortController().signal;
  await applyAction(deps, {}, { type: 'begin-in-place', pod, patch: { metadata: labels } }, signal);
  await applyAction(deps, {}, { type: 'patch-pod', pod, patch: {} }, signal);
  await applyAction(deps, {}, { type: 'set-gate', pod, isOpen: true, reason: 'Done' }, signal);
  // A write after another one names the version of that.
  expect(sent).toEqual([
    { uid: 'u1', resourceVersion: '5' },
    { uid: 'u1', resourceVersion: '6', ...labels },
    { uid: 'u1', resourceVersion: '7' },
    { uid: 'u1', resourceVersion: '8' },
  ]);
});

test.for([
  { type: 'begin-in-place', pod, patch: {} },
  { type: 'patch-pod', pod, patch: {}, event: 'UpdatePodHotPatch' },
] as const)(
  'an update whose answer was lost is noted with the version that it named: $type',
  async (action) => {
    const newest = new Newest();
    newest.note(withMeta(pod, { resourceVersion: '7' }));
    const informer = { ...none, get: () => pod };
    const lost = new LostRequests({ pods: informer, runs: none });
    const disruptions = new Disruptions({ budgets: none, pods: informer });
    const patch = () => Promise.reject(new Unavailable('the request timed out'));
    const events: Partial<EventRecorder> = { record: () => undefined };
    const deps = {
      client: { patch },
      clock: virtualTime(0).clock,
      events,
      newest,
      disruptions,
      lost,
    };
    const workload = { metadata: { namespace: 'default', name: 'g' } };
    const { signal } = new AbortController();
    await expect(applyAction(deps as unknown as ApplyActionDeps, workload, action, signal)).rejects.toThrow();
    expect(lost.podWrites.of('default/g').map(resourceVersionOf)).toEqual(['7']);
  },
);

test.for(['ok', 'not-found', 'conflict'] as const)(
  'the stop of a HookRun names the version that was seen and says whose it is; the answer may be: %s',
  async (type) => {
    const sent: unknown[] = [];
    const patch: KubeClient['patch'] = (_resource, _key, { body }) => {
      sent.push(body);
      return Promise.resolve(type === 'ok' ? { type, object: {} } : { ...refused, type });
    };
    const seen = { uid: 'r1', resourceVersion: '5' };
    const run: KubeObject = { metadata: { namespace: 'default', name: 'new-1-age', ...seen } };
    const deps = { client: { patch } } as unknown as ApplyActionDeps;
    await applyAction(deps, {}, { type: 'terminate-run', run }, new AbortController().signal);
    const annotations = { 'boathook.dev/stopped-by-controller': 'true' };
    expect(sent).toEqual([{ metadata: { ...seen, annotations }, spec: { terminate: true } }]);
  },
);

test.for([
  {
    what: 'without an answer',
    answer: () => Promise.reject(new Unavailable('timed out')),
    decides: false,
    left: 1,
  },
  { what: 'that is refused', answer: () => Promise.resolve(refused), decides: true, left: 0 },
])('after a deletion $what a HookRun decides: $decides', async ({ answer, decides, left }) => {
  const run: KubeObject = { metadata: { namespace: 'default', name: 'predelete-a', uid: 'r1' } };
  const newest = new Newest();
  const lost = new LostRequests({ pods: none, runs: { get: () => run } });
  const deps = { client: { remove: answer }, newest, lost } as unknown as ApplyActionDeps;
  const workload = { metadata: { namespace: 'default', name: 'g' } };
  const { signal } = new AbortController();
  await expect(applyAction(deps, workload, { type: 'delete-run', run }, signal)).rejects.toThrow();
  expect(newest.present([run])).toEqual(decides ? [run] : []);
  expect(lost.runDeletions.of('default/g')).toHaveLength(left);
});
