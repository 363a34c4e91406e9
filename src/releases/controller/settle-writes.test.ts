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
import { LostRequests } from './lost-requests.ts';
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

type World = Partial<Pick<KubeClient, 'get' | 'patch' | 'remove'>> & {
  /** What the informer of pods shows. */
  readonly shown?: { pod: KubeObject | undefined };
};

/** What is noted as lost about the workload `default/g`, and a server that answers so. */
function settling({ shown = { pod: undefined }, ...answers }: World) {
  const unused = () => Promise.reject(new Error('not expected'));
  const client = { get: unused, patch: unused, remove: unused, ...answers };
  const informer = { get: () => shown.pod, list: () => (shown.pod ? [shown.pod] : []), position: () => '4' };
  const disruptions = new Disruptions({
    budgets: { list: () => [budget] },
    pods: informer,
  });
  const deps = {
    client,
    informer,
    newest: new Newest(),
    expectations: createExpectations(virtualTime(0).clock),
    lost: new LostRequests({ pods: informer, runs: informer }),
    disrupted: disruptions.disrupted,
  };
  const settle = () => settleWrites(deps, 'default/g', new AbortController().signal);
  return { ...deps, disruptions, settle, isBehind: () => deps.expectations.pending('default/g') > 0 };
}

/** A patch of version 1 of a pod was lost; the server answers so to the write that follows, and to a read. */
function lostPatch(patched: Outcome, read: Outcome = refused('not-found')) {
  const shown: { pod: KubeObject } = { pod: podAt(1) };
  const sent: unknown[] = [];
  const patch: KubeClient['patch'] = (_resource, _key, { body }) => {
    sent.push(body);
    return Promise.resolve(patched);
  };
  const world = settling({ shown, patch, get: () => Promise.resolve(read) });
  const { disrupted, disruptions, lost, newest, expectations, settle, isBehind } = world;
  disrupted.plan(podAt(1));
  disrupted.answerLost(podAt(1));
  lost.podWrites.note('default/g', podAt(1));
  const state = () => ({
    version: resourceVersionOf(newest.of(shown.pod)),
    left: disruptions.of('default')[0]?.left,
    lost: lost.podWrites.of('default/g').length,
    isBehind: isBehind(),
  });
  return { shown, sent, expectations, settle, state };
}

test('a pod of which a patch was lost is changed, so that the patch cannot arrive any more', async () => {
  const { sent, settle, state } = lostPatch(ok(podAt(2)));
  expect(state()).toEqual({ version: '1', left: 0, lost: 1, isBehind: false });
  await settle();
  const metadata = { uid: uidOf(podAt(1)), resourceVersion: '1', annotations: { [givenUpAnnotation]: '1' } };
  expect(sent).toEqual([{ metadata }]);
  expect(state()).toEqual({ version: '2', left: 1, lost: 0, isBehind: false });
});

test('a pod that has changed is read; it counts for budgets until the informer shows it', async () => {
  const { shown, settle, state } = lostPatch(refused('conflict'), ok(podAt(3)));
  await settle();
  expect(state()).toEqual({ version: '3', left: 0, lost: 0, isBehind: false });
  shown.pod = podAt(3);
  expect(state()).toEqual({ version: '3', left: 1, lost: 0, isBehind: false });
});

test.for([
  { what: 'is gone', read: refused('not-found') },
  { what: 'has another uid', read: ok(withMeta(podAt(3), { uid: 'other' })) },
])('decisions wait until the informer shows that a pod $what', async ({ read }) => {
  const { expectations, settle, state } = lostPatch(refused('conflict'), read);
  await settle();
  expect(state()).toEqual({ version: '1', left: 0, lost: 0, isBehind: true });
  expectations.deletionSeen('default/g', uidOf(podAt(1)));
  expect(state().isBehind).toBe(false);
});

test.for([
  { what: 'may not be changed', patched: refused('forbidden') },
  { what: 'has not changed in spite of a conflict', patched: refused('conflict') },
])('a pod that $what stays lost', async ({ patched }) => {
  const { settle, state } = lostPatch(patched, ok(podAt(1)));
  await expect(settle()).rejects.toThrow('no');
  expect(state()).toEqual({ version: '1', left: 0, lost: 1, isBehind: false });
});

test('nothing is written when the informer shows that the pod has changed', async () => {
  const { shown, sent, settle, state } = lostPatch(ok(podAt(3)));
  shown.pod = podAt(2);
  await settle();
  expect(sent).toEqual([]);
  expect(state()).toEqual({ version: '2', left: 1, lost: 0, isBehind: false });
});

/** The deletion of a HookRun was lost; the server answers so to the next one. */
function lostDeletion(answer: Outcome) {
  const run: KubeObject = { metadata: { namespace: 'default', name: 'predelete-a', uid: 'r1' } };
  const shown: { pod: KubeObject | undefined } = { pod: run };
  const removed: unknown[] = [];
  const remove: KubeClient['remove'] = (_resource, { name }, _signal, { preconditions } = {}) => {
    removed.push([name, preconditions]);
    return Promise.resolve(answer);
  };
  const { settle, lost, newest } = settling({ shown, remove });
  newest.noteRemoved(run);
  lost.runDeletions.note('default/g', run);
  const state = () => ({
    lost: lost.runDeletions.of('default/g').length,
    decides: newest.present([run]).length,
  });
  return { shown, removed, settle, state };
}

test.for([ok({}), refused('not-found')])(
  'a HookRun whose deletion was lost is deleted again: $type',
  async (answer) => {
    const { removed, settle, state } = lostDeletion(answer);
    await settle();
    expect(removed).toEqual([['predelete-a', { uid: 'r1' }]]);
    expect(state()).toEqual({ lost: 0, decides: 0 });
  },
);

test('a HookRun that may not be deleted any more decides again', async () => {
  const { settle, state } = lostDeletion(refused('forbidden'));
  await settle();
  expect(state()).toEqual({ lost: 0, decides: 1 });
});

test('a HookRun that an informer shows as gone is not deleted again', async () => {
  const { shown, removed, settle } = lostDeletion(ok({}));
  shown.pod = undefined;
  await settle();
  expect(removed).toEqual([]);
});

/** The creation of a pod was lost; the informer has received everything up to version 4. */
function lostCreation(read: Outcome, isShown = false) {
  const get: KubeClient['get'] = (_resource, { name }) => {
    asked.push(name);
    return Promise.resolve(read);
  };
  const asked: string[] = [];
  const world = settling({ shown: { pod: isShown ? podAt(7) : undefined }, get });
  world.lost.pods.note('default/g', podAt(0));
  return { ...world, asked };
}

test('a pod whose creation was lost and that exists is waited for', async () => {
  const { asked, settle, isBehind, expectations, lost } = lostCreation(ok(podAt(7)));
  await settle();
  await settle();
  expect(asked).toEqual(['a']);
  expect(isBehind()).toBe(true);
  expectations.creationSeen('default/g', 'a');
  expect(isBehind()).toBe(false);
  expect(lost.pods.has('default/g', 'a')).toBe(true);
});

test('a pod of the same name that somebody else made is not waited for, and its name is not used again', async () => {
  const stranger = withMeta(podAt(7), {
    ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u', controller: true }],
  });
  const { settle, isBehind, lost } = lostCreation(ok(stranger));
  await settle();
  expect(isBehind()).toBe(false);
  expect(lost.pods.has('default/g', 'a')).toBe(false);
});

test.for([
  { what: 'does not exist', read: refused('not-found'), isShown: false },
  { what: 'the informer shows', read: ok(podAt(7)), isShown: true },
  { what: 'was gone before the informer read', read: ok(podAt(3)), isShown: false },
])('a pod whose creation was lost and that $what is not waited for', async ({ read, isShown }) => {
  const { asked, settle, isBehind } = lostCreation(read, isShown);
  await settle();
  expect(asked).toEqual(['a']);
  expect(isBehind()).toBe(false);
});
