import { expect, test } from 'vitest';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome, RefusalType } from '#edge/kube/outcome.ts';
import { createExpectations } from '#loop/expectations.ts';
import { Newest } from '#loop/owned/newest.ts';
import { virtualTime } from '#edge/virtual-time.ts';
import { resourceVersionOf, uidOf, withMeta, type KubeObject } from '#kube/object.ts';
import { podOf } from '#kube/workload/testing/objects.ts';
import { givenUpAnnotation } from '#releases/model/well-known.ts';
import { Disruptions } from './disruptions.ts';
import { isShownAfter, isShownGone, LostWrites } from './lost-writes.ts';
import { settleWrites } from './settle-writes.ts';

const podAt = (version: number): KubeObject =>
  withMeta(podOf({ name: 'a', readyAt: 0 }), { resourceVersion: String(version) });
const budget: KubeObject = {
  metadata: { name: 'b', uid: 'b', resourceVersion: '5' },
  spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'x' } } },
  status: { disruptionsAllowed: 1, desiredHealthy: 0 },
};
const ok = (object: KubeObject): Outcome => ({ type: 'ok', object });
const refused = (type: RefusalType): Outcome => ({ type, code: 400, message: 'no', status: {} });

/** A patch of version 1 of a pod was lost; the server answers so to the write that follows, and to a read. */
function lost(patched: Outcome, read: Outcome = refused('not-found')) {
  const shown = { pod: podAt(1) };
  const informer = { get: () => shown.pod, list: () => [shown.pod] };
  const disruptions = new Disruptions({ budgets: { list: () => [budget] }, pods: informer });
  const lostWrites = new LostWrites((pod) => isShownAfter(informer, pod));
  const lostDeletions = new LostWrites(() => false);
  const newest = new Newest();
  const expectations = createExpectations(virtualTime(0).clock);
  const sent: unknown[] = [];
  const patch: KubeClient['patch'] = (_resource, _key, { body }) => {
    sent.push(body);
    return Promise.resolve(patched);
  };
  const client = {
    patch,
    get: () => Promise.resolve(read),
    remove: () => Promise.reject(new Error('no deletion')),
  };
  const { disrupted } = disruptions;
  disrupted.plan(podAt(1));
  disrupted.answerLost(podAt(1));
  lostWrites.note('default/g', podAt(1));
  const settle = () =>
    settleWrites(
      { client, newest, expectations, lostWrites, lostDeletions, disrupted },
      'default/g',
      new AbortController().signal,
    );
  const state = () => ({
    version: resourceVersionOf(newest.of(shown.pod)),
    left: disruptions.of('default')[0]?.left,
    lost: lostWrites.of('default/g').length,
    isBehind: expectations.pending('default/g') > 0,
  });
  return { shown, sent, expectations, settle, state };
}

test('a pod of which a patch was lost is changed, so that the patch cannot arrive any more', async () => {
  const { sent, settle, state } = lost(ok(podAt(2)));
  expect(state()).toEqual({ version: '1', left: 0, lost: 1, isBehind: false });
  await settle();
  const metadata = { uid: uidOf(podAt(1)), resourceVersion: '1', annotations: { [givenUpAnnotation]: '1' } };
  expect(sent).toEqual([{ metadata }]);
  expect(state()).toEqual({ version: '2', left: 1, lost: 0, isBehind: false });
});

test('a pod that has changed is read; it counts for budgets until the informer shows it', async () => {
  const { shown, settle, state } = lost(refused('conflict'), ok(podAt(3)));
  await settle();
  expect(state()).toEqual({ version: '3', left: 0, lost: 0, isBehind: false });
  shown.pod = podAt(3);
  expect(state()).toEqual({ version: '3', left: 1, lost: 0, isBehind: false });
});

test.for([
  { what: 'is gone', read: refused('not-found') },
  { what: 'has another uid', read: ok(withMeta(podAt(3), { uid: 'other' })) },
])('decisions wait until the informer shows that a pod $what', async ({ read }) => {
  const { expectations, settle, state } = lost(refused('conflict'), read);
  await settle();
  expect(state()).toEqual({ version: '1', left: 0, lost: 0, isBehind: true });
  expectations.deletionSeen('default/g', uidOf(podAt(1)));
  expect(state().isBehind).toBe(false);
});

test('a pod that cannot be changed stays lost', async () => {
  const { settle, state } = lost(refused('forbidden'));
  await expect(settle()).rejects.toThrow('no');
  expect(state()).toEqual({ version: '1', left: 0, lost: 1, isBehind: false });
});

test('nothing is written when the informer shows that the pod has changed', async () => {
  const { shown, sent, settle, state } = lost(ok(podAt(3)));
  shown.pod = podAt(2);
  await settle();
  expect(sent).toEqual([]);
  expect(state()).toEqual({ version: '2', left: 1, lost: 0, isBehind: false });
});

/** The deletion of a HookRun was lost; the server answers so to the next one. */
function lostDeletion(answer: Outcome) {
  const run: KubeObject = { metadata: { namespace: 'default', name: 'predelete-a', uid: 'r1' } };
  const shown: { run: KubeObject | undefined } = { run };
  const lostDeletions = new LostWrites((each) => isShownGone({ get: () => shown.run }, each));
  lostDeletions.note('default/g', run);
  const removed: unknown[] = [];
  const remove: KubeClient['remove'] = (_resource, { name }, _signal, { preconditions } = {}) => {
    removed.push([name, preconditions]);
    return Promise.resolve(answer);
  };
  const unused = () => Promise.reject(new Error('only deletions'));
  const { disrupted } = new Disruptions({
    budgets: { list: () => [] },
    pods: { get: () => undefined, list: () => [] },
  });
  const lostWrites = new LostWrites(() => false);
  const client = { get: unused, patch: unused, remove };
  const expectations = createExpectations(virtualTime(0).clock);
  const settle = () =>
    settleWrites(
      { client, newest: new Newest(), expectations, lostWrites, lostDeletions, disrupted },
      'default/g',
      new AbortController().signal,
    );
  return { shown, removed, settle, left: () => lostDeletions.of('default/g').length };
}

test.for([ok({}), refused('not-found')])(
  'a HookRun whose deletion was lost is deleted again: $type',
  async (answer) => {
    const { removed, settle, left } = lostDeletion(answer);
    await settle();
    expect(removed).toEqual([['predelete-a', { uid: 'r1' }]]);
    expect(left()).toBe(0);
  },
);

test('a HookRun that cannot be deleted stays lost, and the next decision waits', async () => {
  const { settle, left } = lostDeletion(refused('forbidden'));
  await expect(settle()).rejects.toThrow('no');
  expect(left()).toBe(1);
});

test('a HookRun that an informer shows as gone is not deleted again', async () => {
  const { shown, removed, settle } = lostDeletion(ok({}));
  shown.run = undefined;
  await settle();
  expect(removed).toEqual([]);
});
