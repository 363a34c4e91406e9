import { expect, test } from 'vitest';
import { numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { nameOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { nodes, pods } from '#loop/owned/resources.ts';
import { explanationLines } from '#releases/cli/explanation-lines.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import type { Explanation } from '#releases/decide/explain/explanation.ts';
import { actAnnotation, actTargetOf, printAct } from '#releases/model/act.ts';
import { openExplainWorld, uselessActs, type ExplainWorld } from '../support/explain-world.ts';
import { image, make, never } from '../support/game-world.ts';

const inSteps = (steps: Json, more: JsonObject = {}): JsonObject => ({
  replicas: 4,
  updateStrategy: { type: 'InplaceUpdate', maxUnavailable: 2, canary: { steps }, ...more },
});
const hook = { hook: { templateName: 'age' } };

/** The reason that the controller wrote. */
const reasonOf = (workload: KubeObject): string | undefined => textAt(workload, 'status', 'reason');

/** Waits for a reason; then the explanation has the same reason and message as the status, and no doubt. */
async function expectReason({ world, explain }: ExplainWorld, reason: string): Promise<Explanation> {
  await world.until((workload) => reasonOf(workload) === reason, 700);
  await world.settle();
  const explanation = await explain();
  const workload = await world.workload();
  expect(explanation).toMatchObject({
    reason: reasonOf(workload),
    phase: textAt(workload, 'status', 'phase'),
    message: textAt(workload, 'status', 'message'),
    warnings: [],
  });
  expect(explanation.why[0]).toMatchObject({ reason, messages: [explanation.message] });
  expect(explanation.remedies.length).toBeGreaterThan(0);
  expect(uselessActs(explanation, workload)).toEqual([]);
  return explanation;
}

const whats = ({ next }: Explanation): readonly string[] => next.map(({ what }) => what);
const commands = ({ remedies }: Explanation): string => remedies.map(({ command }) => command).join('\n');

test('CanaryPodsNotReady: pods that stop being ready during a timed pause', async () => {
  const steps = [{ partition: 3 }, { pause: { duration: 5 } }, { pause: {} }];
  await using at = await openExplainWorld({ spec: inSteps(steps, { type: 'RollingUpdate' }) });
  const annotations = { 'sim.boathook.dev/probe': 'fail-after:3s' };
  await at.world.patch({ spec: { template: { metadata: { labels: { app: 'g' }, annotations } } } });
  const explanation = await expectReason(at, 'CanaryPodsNotReady');
  expect(commands(explanation)).toContain('boathook release promote gd/g');
  expect(explanation.evidence.pods).toHaveLength(1);
});

test('MaxUnavailableReached and the other reasons beside it', async () => {
  const spec = { replicas: 4, updateStrategy: { type: 'RollingUpdate', maxUnavailable: 1 } };
  await using at = await openExplainWorld({ spec });
  const annotations = { 'sim.boathook.dev/pull': 'error' };
  await at.world.patch({ spec: { template: { metadata: { labels: { app: 'g' }, annotations } } } });
  const explanation = await expectReason(at, 'MaxUnavailableReached');
  expect(explanation.evidence.pods).toMatchObject([
    { cause: 'its container c waits with ImagePullBackOff', restarts: 0 },
  ]);
});

test('ProgressDeadlineExceeded: what it waited for is still there', async () => {
  const spec = { ...inSteps([{ partition: 3 }, { pause: {} }]), progressDeadlineSeconds: 60 };
  await using at = await openExplainWorld({ spec });
  const annotations = { 'sim.boathook.dev/ready-delay': '10m' };
  await at.world.patch({ spec: { template: { metadata: { labels: { app: 'g' }, annotations } } } });
  await at.world.patch(image('2'));
  await at.world.pass(10);
  const before = await at.explain();
  const [deadline] = before.next.filter(({ what }) => what.includes('ProgressDeadlineExceeded'));
  expect(deadline?.at).toBeDefined();
  await at.world.pass((Date.parse(deadline?.at ?? '') - at.world.clock.now()) / 1000 - 1);
  expect(reasonOf(await at.world.workload())).toBe('WaitingForPods');
  await at.world.pass(2);
  const explanation = await expectReason(at, 'ProgressDeadlineExceeded');
  expect(explanation.why.map(({ reason }) => reason)).toEqual(['ProgressDeadlineExceeded']);
  expect(explanation.message).toContain('waits for pods');
});

test('InPlaceImpossible', async () => {
  await using at = await openExplainWorld({ spec: inSteps([{ partition: 3 }, { pause: {} }]) });
  const containers = [{ name: 'c', image: 'app:1', command: ['other'] }];
  await at.world.patch({ spec: { template: { spec: { containers } } } });
  const explanation = await expectReason(at, 'InPlaceImpossible');
  expect(commands(explanation)).toContain('{"updateStrategy":{"type":"InplaceIfPossible"}}');
});

test('WaitingForDeletion names a pod that is due', async () => {
  await using at = await openExplainWorld({
    spec: inSteps([{ partition: 3 }, { pause: {} }], { type: 'OnDelete' }),
  });
  await at.world.patch(image('2'));
  const explanation = await expectReason(at, 'WaitingForDeletion');
  const name = /kubectl delete pod (\S+)/.exec(commands(explanation))?.[1] ?? '';
  expect(explanation.message).toContain(name);
  await at.world.deletePod(name);
  await at.world.until((workload) => numberAt(workload, 'status', 'currentStepIndex') === 1);
});

test('HotPatchUnsupported', async () => {
  await using at = await openExplainWorld({ spec: inSteps([{ partition: 3 }], { type: 'HotPatchUpdate' }) });
  await at.world.patch(image('2'));
  const explanation = await expectReason(at, 'HotPatchUnsupported');
  expect(commands(explanation)).toContain('boathook.dev/hot-patch=true');
  const listed = await at.world.client.list(nodes, {}, never);
  expect(listed.type).toBe('ok');
});

test('NoHookController, and before that a run that nobody has taken up', async () => {
  await using at = await openExplainWorld({ spec: inSteps([{ partition: 3 }, hook]) });
  await at.world.control({ names: ['gamedeployment'] });
  await at.world.patch(image('2'));
  const early = await expectReason(at, 'WaitingForHook');
  expect(early.evidence.hookRuns).toMatchObject([{ phase: 'not taken up by a controller' }]);
  expect(whats(early)[0]).toBe('The controller decides again.');
  const explanation = await expectReason(at, 'NoHookController');
  expect(commands(explanation)).toContain('boathook controller --controllers hookrun');
});

test('PodHookFailed: the hook of a pod, with its value', async () => {
  const spec = { replicas: 2, updateStrategy: { type: 'RollingUpdate' }, preDeleteUpdateStrategy: hook };
  await using at = await openExplainWorld({ spec });
  at.world.answer(() => ({ age: 45 }));
  await at.world.patch({ spec: { replicas: 1 } });
  const explanation = await expectReason(at, 'PodHookFailed');
  expect(explanation.evidence.hookRuns).toMatchObject([
    { of: expect.stringMatching(/^pod g-\w+ before deletion$/), metrics: [{ values: [{ value: '45' }] }] },
  ]);
  expect(commands(explanation)).toContain(`--patch='{"spec":{"preDeleteUpdateStrategy":{"retry":true}}}'`);
  expect(commands(explanation)).toContain('boathook.dev/break-glass');
  const [waiting] = explanation.evidence.hookRuns;
  const run = await at.world.client.get(hookRuns, { namespace: 'default', name: waiting?.name ?? '' }, never);
  expect(run.type).toBe('ok');
});

test('the grace period of an update in place', async () => {
  const inPlaceUpdateStrategy = { gracePeriodSeconds: 30 };
  await using at = await openExplainWorld({
    spec: inSteps([{ partition: 3 }, { pause: {} }], { inPlaceUpdateStrategy }),
  });
  await at.world.patch(image('2'));
  const explanation = await expectReason(at, 'WaitingForPods');
  const [end] = explanation.next;
  expect(end?.what).toMatch(/^The grace period of pod g-\w+ ends, and its containers are replaced\.$/);
  expect(explanation.evidence.pods).toMatchObject([
    { cause: expect.stringContaining('taken out of service') },
  ]);
  await at.world.pass((Date.parse(end?.at ?? '') - at.world.clock.now()) / 1000 + 5);
  expect(numberAt(await at.world.workload(), 'status', 'currentStepIndex')).toBe(1);
});

test('FailedCreate: the server refuses pods', async () => {
  const spec = { replicas: 2, updateStrategy: { type: 'RollingUpdate', maxUnavailable: 1 } };
  await using at = await openExplainWorld({ spec });
  await at.world.patch({ spec: { template: { spec: { serviceAccountName: 'nobody' } } } });
  const explanation = await expectReason(at, 'FailedCreate');
  expect(explanation.message).toContain('serviceaccount "nobody" not found');
  expect(whats(explanation)[0]).toMatch(/^The controller creates 1 pod of revision g-\w+\.$/);
  // The status does not change with every attempt: that would start the next one at once.
  const before = resourceVersionOf(await at.world.workload());
  await at.world.pass(30);
  expect(resourceVersionOf(await at.world.workload())).toBe(before);
});

test('FailedUpdate: the server does not confirm that it deletes a pod', async () => {
  const spec = { replicas: 2, updateStrategy: { type: 'RollingUpdate', maxUnavailable: 1 } };
  const around =
    (direct: Transport): Transport =>
    (request) =>
      request.method === 'DELETE' && request.path.includes('/pods/')
        ? Promise.reject(new Unavailable('the request timed out'))
        : direct(request);
  await using at = await openExplainWorld({ spec, around });
  await at.world.patch(image('2'));
  const explanation = await expectReason(at, 'FailedUpdate');
  expect(explanation.message).toContain('the request timed out');
  expect(commands(explanation)).toContain('kubectl describe gamedeployment/g');
  // The status does not change with every attempt.
  const before = resourceVersionOf(await at.world.workload());
  await at.world.pass(30);
  expect(resourceVersionOf(await at.world.workload())).toBe(before);
});

const leases: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };

test('a controller that does not renew its Lease', async () => {
  await using at = await openExplainWorld({ spec: { replicas: 1 } });
  const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
  await make(at.world, namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'boathook-system' },
  });
  await make(at.world, leases, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'boathook-controller', namespace: 'boathook-system' },
    spec: {
      holderIdentity: 'pod-1',
      leaseDurationSeconds: 15,
      renewTime: `${new Date(at.world.clock.now()).toISOString().slice(0, -1)}000Z`,
    },
  });
  expect((await at.explain()).warnings).toEqual([]);
  await at.world.pass(60, 10);
  expect((await at.explain()).warnings).toEqual([
    expect.stringMatching(
      /^The controller pod-1 has not renewed its Lease .* for 60s: it seems to be stopped/,
    ),
  ]);
});

test('a pod that the release does not know is no evidence', async () => {
  await using at = await openExplainWorld({ spec: inSteps([{ partition: 3 }, { pause: {} }]) });
  await make(at.world, pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'stranger',
      namespace: 'default',
      annotations: { 'sim.boathook.dev/pull': 'error' },
    },
    spec: { containers: [{ name: 'c', image: 'app:1' }] },
  });
  await at.world.pass(5);
  const explanation = await at.explain();
  expect(explanation.evidence.pods).toEqual([]);
  expect(nameOf(await at.world.workload())).toBe(explanation.name);
});

test('requests: one that waits for a controller, and one that was ignored', async () => {
  await using at = await openExplainWorld({ spec: inSteps([{ partition: 3 }, { pause: {} }]) });
  await at.world.patch(image('2'));
  await expectReason(at, 'PausedByCanaryPauseStep');
  const workload = await at.world.workload();
  const target = { ...actTargetOf(workload), step: 0 };
  await at.world.stop();
  const act = { id: 'a1', verb: 'promote', target, by: 'ann', time: '2026-01-05T12:00:00Z' } as const;
  await at.world.patch({ metadata: { annotations: { [actAnnotation]: printAct(act) } } });
  expect(whats(await at.explain())[0]).toBe(
    'The controller handles the request to promote of ann, made at 2026-01-05T12:00:00Z.',
  );
  await at.world.control();
  await at.world.pass(1);
  const explanation = await expectReason(at, 'PausedByCanaryPauseStep');
  expect(explanation.evidence.lastRequest).toMatchObject({ verb: 'promote', by: 'ann', result: 'Ignored' });
  expect(explanationLines(explanation, Infinity).at(-1)).toMatch(
    /^- Last request: promote by ann at .*Ignored/,
  );
});

test('a workload that is being deleted', async () => {
  const enforce = { enforce: 'Always', ...hook };
  await using at = await openExplainWorld({ spec: { replicas: 2, preDeleteUpdateStrategy: enforce } });
  at.world.answer(() => ({ age: 45 }));
  await at.world.client.remove(gameDeployments, { namespace: 'default', name: 'g' }, never);
  const explanation = await expectReason(at, 'PodHookFailed');
  expect(whats(explanation).at(-1)).toMatch(/^The workload is being deleted/);
  expect(commands(explanation)).not.toContain('boathook release');
  expect(commands(explanation)).toContain('boathook.dev/break-glass');
});
