import { expect, test } from 'vitest';
import { at as valueAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { act, eventsOf, hook, isPausedAt, recordsOf, releasing, stepOf } from '../support/act.ts';
import { found, never } from '../support/world.ts';
import { isComplete, type GameWorld } from '../support/game-world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

/** Applies a part of a manifest as GitOps tools do: server-side, and with force. */
async function applyByGit(at: GameWorld, updateStrategy: JsonObject): Promise<KubeObject> {
  const body = {
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'GameDeployment',
    metadata: { name: 'g', namespace: 'default' },
    spec: { updateStrategy },
  };
  const key = { namespace: 'default', name: 'g' };
  const patch = { type: 'apply', body, fieldManager: 'argocd-controller', force: true } as const;
  return found(await at.client.patch(gameDeployments, key, patch, never));
}

const pausedOf = (workload: KubeObject): unknown => valueAt(workload, 'spec', 'updateStrategy', 'paused');

test('with Approval a manifest with paused: false is set back once and then ignored', async () => {
  const at = await closedAfterTest(
    releasing([{ partition: 3 }, hook, { pause: {} }], { resumePolicy: 'Approval' }),
  );
  at.answer(() => ({ age: 45 }));
  await at.until(isPausedAt(1));

  await applyByGit(at, { paused: false });
  await at.pass(3);
  const first = await at.workload();
  expect(pausedOf(first)).toBe(true);
  expect(stepOf(first)).toBe(1);
  const [said, ...others] = await eventsOf(at, 'ResumeIgnored');
  expect(said).toMatch(
    /^Step 2\/3: paused: false, written by field manager argocd-controller at \S+, was set/,
  );
  expect(others).toEqual([]);

  for (let sync = 0; sync < 3; sync += 1) {
    await applyByGit(at, { paused: false });
    await at.pass(3);
  }
  const last = await at.workload();
  expect(pausedOf(last)).toBe(false);
  expect(last).toMatchObject({
    status: {
      phase: 'Paused',
      currentStepIndex: 1,
      pauseConditions: [{ reason: 'PausedByStepBasedHook' }],
      canary: { ignoredResumes: 2 },
    },
  });
  expect(textAt(last, 'status', 'message')).toContain('paused: false was ignored 2 times');
  expect(await eventsOf(at, 'ResumeIgnored')).toHaveLength(1);
  expect(numberAt(last, 'status', 'updatedReplicas')).toBe(1);

  // The next pause starts again.
  await act(at, 'promote');
  const next = await at.until(isPausedAt(2));
  expect(next['status']).not.toHaveProperty('canary.ignoredResumes');
  await act(at, 'promote');
  await at.until(isComplete);
});

test('with Approval the pause of a user ends by paused: false', async () => {
  const at = await closedAfterTest(
    releasing([{ partition: 3 }, hook, { pause: {} }], { resumePolicy: 'Approval' }),
  );
  at.answer(() => 'hang');
  await at.until((each) => stepOf(each) === 1);
  await at.patch({ spec: { updateStrategy: { paused: true } } });
  await at.until((each) => textAt(each, 'status', 'reason') === 'PausedByUser');
  await applyByGit(at, { paused: false });
  const resumed = await at.until((each) => textAt(each, 'status', 'reason') !== 'PausedByUser');
  expect(pausedOf(resumed)).toBe(false);
  expect(recordsOf(resumed)[0]).toMatchObject({
    outcome: 'Progressing',
    acts: [
      { verb: 'pause', step: 2, result: 'Done' },
      { verb: 'resume', manager: 'argocd-controller', result: 'Done' },
    ],
  });
  expect(await eventsOf(at, 'ResumeIgnored')).toEqual([]);
});

test('with Spec a manifest with paused: false walks past a failed hook, and the event names its manager', async () => {
  const at = await closedAfterTest(releasing([{ partition: 3 }, hook, { pause: {} }]));
  at.answer(() => ({ age: 45 }));
  await at.until(isPausedAt(1));
  await applyByGit(at, { paused: false });
  const resumed = await at.until(isPausedAt(2));
  expect(await eventsOf(at, 'ResumedPastFailedHook')).toEqual([
    expect.stringMatching(
      /^Step 2\/3: paused: false, written by field manager argocd-controller at \S+, resumed the release although its hook failed$/,
    ),
  ]);
  expect(recordsOf(resumed)[0]).toMatchObject({
    acts: [{ verb: 'resume', manager: 'argocd-controller', step: 2, result: 'Done' }],
  });
});
