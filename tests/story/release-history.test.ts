import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { nameOf } from '#kube/object.ts';
import { gameDeployments } from '#releases/controller/resources.ts';
import { act, hook, isPausedAt, recordsOf, releasing } from '../support/act.ts';
import {
  conditionsOf,
  gameDeployment,
  image,
  isComplete,
  make,
  openGameWorld,
  type GameWorld,
} from '../support/game-world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

const outcomes = async (at: GameWorld): Promise<readonly string[]> =>
  recordsOf(await at.workload()).map((record) =>
    [textAt(record, 'outcome'), textAt(record, 'cause'), ...listAt(record, 'images').map(String)].join(' '),
  );

test('the history of a whole life', async () => {
  const at = await closedAfterTest(releasing([{ partition: 3 }, hook, { pause: {} }]));
  // Replaced by another template while it is paused for ten seconds.
  await at.until(isPausedAt(2));
  await at.pass(10);
  await at.patch(image('3'));
  await at.until(isPausedAt(2));
  // Rolled back.
  await at.patch(image('1'));
  await at.until(isComplete);
  // A hook that fails, and a resume.
  at.answer(() => ({ age: 45 }));
  await at.patch(image('4'));
  await at.until(isPausedAt(1));
  await act(at, 'abort');
  at.answer(() => ({ age: 25 }));
  await act(at, 'retry');
  await at.until(isPausedAt(2));
  await at.control();
  await act(at, 'promote', { reason: 'fine' });
  const last = await at.until(isComplete);

  expect(await outcomes(at)).toEqual([
    'Complete AllPodsUpdated c=app:4',
    'Aborted AbortedByUser c=app:4',
    'Complete AllPodsUpdated c=app:1',
    'RolledBack TemplateSetBack c=app:3',
    'Replaced NewTemplate c=app:2',
    'Complete AllPodsUpdated c=app:1',
  ]);
  const [done, aborted, , rolledBack, replaced] = recordsOf(last);
  expect(done).toMatchObject({
    verdicts: [{ step: 2, phase: 'Successful' }],
    acts: [{ verb: 'retry' }, { verb: 'promote', reason: 'fine' }],
  });
  expect(aborted).toMatchObject({ verdicts: [{ phase: 'Failed' }], acts: [{ verb: 'abort', step: 2 }] });
  expect(rolledBack).toMatchObject({ acts: [{ verb: 'undo', result: 'Done' }] });
  expect(numberAt(replaced, 'pausedSeconds')).toBeGreaterThanOrEqual(10);
  expect(numberAt(replaced, 'pausedSeconds')).toBeLessThanOrEqual(12);
  for (const record of recordsOf(last)) {
    expect(record).toMatchObject({
      startTime: expect.any(String) as string,
      endTime: expect.any(String) as string,
    });
    expect(record).not.toHaveProperty('pausedSince');
  }
  // The failed run of the release that was aborted is still there.
  const runs = at.runs().map((run) => textAt(run, 'status', 'phase'));
  expect(runs.filter((phase) => phase === 'Failed')).toHaveLength(1);
});

test('a workload without steps has a history too, of at most ten', async () => {
  const at = await closedAfterTest(openGameWorld());
  await at.control();
  await make(at, gameDeployments, gameDeployment({ replicas: 2 }));
  await at.until(isComplete);
  for (let tag = 2; tag <= 12; tag += 1) {
    await at.patch(image(String(tag)));
    await at.until(isComplete);
  }
  const history = recordsOf(await at.workload());
  expect(history).toHaveLength(10);
  expect(history[0]).toMatchObject({ images: ['c=app:12'], outcome: 'Complete' });
  expect(history.at(-1)).toMatchObject({ images: ['c=app:3'] });
  expect(history[0]).toHaveProperty('startedBy');
  await at.patch({ spec: { ...(image('13')['spec'] as JsonObject), updateStrategy: { paused: true } } });
  await at.until((each) => textAt(each, 'status', 'reason') === 'PausedByUser');
  await at.patch({ spec: { ...(image('12')['spec'] as JsonObject), updateStrategy: { paused: false } } });
  await at.until(isComplete);
  expect((await outcomes(at)).slice(0, 2)).toEqual([
    'Complete AllPodsUpdated c=app:12',
    'RolledBack TemplateSetBack c=app:13',
  ]);
});

test('finished HookRuns are kept up to their limits, and never decide again', async () => {
  const limits: JsonObject = { successfulHookRunHistoryLimit: 2, failedHookRunHistoryLimit: 1 };
  const at = await closedAfterTest(releasing([hook], {}, limits));
  await at.until(isComplete);
  for (const tag of ['3', '4', '5']) {
    await at.patch(image(tag));
    await at.until(isComplete);
  }
  await at.pass(2);
  const phases = (): readonly string[] => at.runs().map((run) => textAt(run, 'status', 'phase') ?? '');
  expect(phases()).toEqual(['Successful', 'Successful']);
  at.answer(() => ({ age: 45 }));
  for (const tag of ['6', '7']) {
    await at.patch(image(tag));
    await at.until(isPausedAt(0));
    await at.pass(2);
  }
  await at.patch(image('5'));
  await at.until(isComplete);
  await at.pass(2);
  expect(phases().toSorted()).toEqual(['Failed', 'Successful', 'Successful']);
  // The same revision again: the kept failure does not count, and the new run has a name of its own.
  at.answer(() => ({ age: 25 }));
  const kept = at
    .runs()
    .filter((run) => textAt(run, 'status', 'phase') === 'Failed')
    .map(nameOf);
  await at.patch(image('7'));
  const done = await at.until(isComplete);
  expect(recordsOf(done)[0]).toMatchObject({
    verdicts: [{ hookRun: `${kept[0]}-2`, phase: 'Successful' }],
  });
});

test('an automatic abort names hook, metric, value and threshold, and kubectl wait can see it', async () => {
  const abort = { hook: { templateName: 'age', onFailure: 'Abort' } };
  const at = await closedAfterTest(releasing([{ partition: 3 }, abort]));
  at.answer(() => ({ age: 45 }));
  const aborted = await at.until((each) => textAt(each, 'status', 'reason') === 'Aborted');
  const message = textAt(aborted, 'status', 'message') ?? '';
  expect(message).toMatch(/^Step 2\/2: HookRun g-\S+-1-age is Failed \(metric age is Failed: /);
  expect(message).toContain('asInt(result) = 45');
  expect(message).toContain('asInt(result) < 30');
  expect(conditionsOf(aborted)).toMatchObject({ Progressing: 'False Aborted', Healthy: 'False Aborted' });
  await at.pass(30);
  const later = await at.workload();
  expect(textAt(later, 'status', 'message')).toBe(message);
  expect(recordsOf(later)[0]).toMatchObject({ outcome: 'Aborted', cause: 'HookFailed' });
  expect(listAt(later, 'status', 'history')).toHaveLength(2);
});
