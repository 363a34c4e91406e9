import { expect, test } from 'vitest';
import { at as valueAt, listAt, textAt } from '#base/json.ts';
import { labelsOf, nameOf } from '#kube/object.ts';
import type { ActVerb } from '#releases/model/act.ts';
import {
  act,
  actFor,
  actPatch,
  eventsOf,
  hook,
  isPausedAt,
  lastAct,
  pauseOf,
  recordsOf,
  releasing,
  stepOf,
  type ActParts,
} from '../support/act.ts';
import { isComplete, type GameWorld } from '../support/game-world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

const runNames = (at: GameWorld): readonly string[] => at.runs().map(nameOf).toSorted();

test('promote ends a timed pause and is recorded with who wrote it', async () => {
  const at = await closedAfterTest(
    releasing([{ partition: 3 }, { pause: { duration: 3600 } }, { pause: {} }]),
  );
  await at.until(isPausedAt(1));
  const promoted = await act(at, 'promote', { reason: 'checked by hand' });
  expect(lastAct(promoted)).toMatchObject({
    verb: 'promote',
    step: 2,
    by: 'alice',
    reason: 'checked by hand',
    result: 'Done',
    message: 'Promoted from step 2/3 to step 3/3.',
  });
  expect(textAt(promoted, 'status', 'canary', 'lastAct', 'manager')).not.toBeUndefined();
  expect(stepOf(promoted)).toBe(2);
  const [said] = await eventsOf(at, 'PromotedByUser');
  expect(said).toMatch(
    /^Promoted from step 2\/3 to step 3\/3\. Requested by user alice \(claimed by the client\), written by field manager \S+ at \S+Z\. Reason: checked by hand$/,
  );
});

test('a second click and an annotation that is put back change nothing', async () => {
  const at = await closedAfterTest(
    releasing([{ partition: 3 }, { pause: {} }, { pause: {} }, { pause: {} }]),
  );
  const paused = await at.until(isPausedAt(1));
  const [first, second] = [actFor(paused, 'promote'), actFor(paused, 'promote')];
  await at.patch(actPatch(paused, first));
  await at.until(isPausedAt(2));
  await at.patch(actPatch(await at.workload(), second));
  const ignored = await at.until((each) => lastAct(each)['id'] === second.id);
  expect(lastAct(ignored)).toMatchObject({ result: 'Ignored' });
  expect(await eventsOf(at, 'ActIgnored')).toHaveLength(1);
  await at.patch(actPatch(await at.workload(), first));
  await at.pass(5);
  const last = await at.workload();
  expect(stepOf(last)).toBe(2);
  expect(lastAct(last)).toMatchObject({ id: second.id });
});

test('a request with a resourceVersion of before is refused by the server', async () => {
  const at = await closedAfterTest(releasing([{ partition: 3 }, { pause: {} }]));
  const paused = await at.until(isPausedAt(1));
  await at.patch({ metadata: { labels: { a: 'b' } } });
  await expect(at.patch(actPatch(paused, actFor(paused, 'abort')))).rejects.toThrow(/modified/);
});

test('promote skips a failed hook', async () => {
  const at = await closedAfterTest(releasing([{ partition: 3 }, hook, { pause: {} }]));
  at.answer(() => ({ age: 45 }));
  await at.until(isPausedAt(1));
  const promoted = await act(at, 'promote');
  expect(stepOf(promoted)).toBe(2);
  expect(recordsOf(promoted)[0]).toMatchObject({
    outcome: 'Progressing',
    verdicts: [{ step: 2, phase: 'Failed' }],
    acts: [{ verb: 'promote', result: 'Done' }],
  });
});

test('promote to a step ends pauses before it, runs hooks, and pauses at it', async () => {
  const steps = [
    { partition: 3 },
    { pause: {} },
    hook,
    { pause: { duration: 3600 } },
    { partition: 1 },
    { pause: {} },
    { pause: {} },
  ];
  const at = await closedAfterTest(releasing(steps));
  await at.until(isPausedAt(1));
  await act(at, 'promote', { toStep: 5 });
  const reached = await at.until(isPausedAt(5));
  expect(reached['status']).not.toHaveProperty('canary.promotion');
  expect(at.asked).toHaveLength(1);
  expect(recordsOf(reached)[0]).toMatchObject({ verdicts: [{ step: 3, phase: 'Successful' }] });
});

test('promote to the end stops at a hook that fails, and retry goes on with the promotion', async () => {
  const at = await closedAfterTest(releasing([{ partition: 3 }, { pause: {} }, hook, { pause: {} }]));
  at.answer(() => ({ age: 45 }));
  await at.until(isPausedAt(1));
  await act(at, 'promote', { toStep: 4 });
  const failed = await at.until(isPausedAt(2));
  expect(pauseOf(failed)).toBe('PausedByStepBasedHook');
  at.answer(() => ({ age: 25 }));
  await act(at, 'retry');
  const done = await at.until(isComplete);
  expect(recordsOf(done)[0]).toMatchObject({
    outcome: 'Complete',
    verdicts: [
      { step: 3, phase: 'Failed' },
      { step: 3, phase: 'Successful' },
    ],
  });
});

test('promote to the end without hooks runs none', async () => {
  const at = await closedAfterTest(releasing([{ partition: 3 }, { pause: {} }, hook, { pause: {} }, hook]));
  at.answer(() => ({ age: 45 }));
  await at.until(isPausedAt(1));
  await act(at, 'promote', { toStep: 5, skipHooks: true });
  const done = await at.until(isComplete);
  expect(at.runs()).toEqual([]);
  expect(done).toMatchObject({ status: { step: '5/5', reason: 'AllPodsUpdated' } });
});

test('a hook that runs is skipped only on request, and its run ends', async () => {
  const at = await closedAfterTest(releasing([{ partition: 3 }, hook, { pause: {} }]));
  at.answer(() => 'hang');
  await at.until((each) => textAt(each, 'status', 'canary', 'currentStepHookRun') !== undefined);
  await at.settle();
  const ignored = await act(at, 'promote');
  expect(lastAct(ignored)).toMatchObject({ result: 'Ignored' });
  expect(textAt(lastAct(ignored), 'message')).toContain('--skip-hook');
  expect(stepOf(ignored)).toBe(1);
  await act(at, 'promote', { skipHooks: true });
  await at.until(isPausedAt(2));
  expect(at.runs().map((run) => valueAt(run, 'spec', 'terminate'))).toEqual([true]);
});
test('abort takes pods back, and retry starts the release again with another ID', async () => {
  const at = await closedAfterTest(releasing([{ partition: 3 }, { pause: {} }]));
  const paused = await at.until(isPausedAt(1));
  const { revision } = valueAt(paused, 'status', 'canary') as { revision: string };
  const aborted = await act(at, 'abort', { reason: 'errors in the log' });
  expect(aborted).toMatchObject({
    spec: { updateStrategy: { paused: false } },
    status: { phase: 'Blocked', reason: 'Aborted', canary: { revision } },
  });
  expect(aborted['status']).not.toHaveProperty('pauseConditions');
  expect(textAt(aborted, 'status', 'message')).toMatch(
    /^Aborted at step 2\/2 by user alice \(claimed\): errors in the log\. Revision /,
  );
  await at.pass(20);
  expect(at.pods().map((pod) => textAt(listAt(pod, 'spec', 'containers')[0], 'image'))).toEqual(
    Array(4).fill('app:1'),
  );
  expect(await eventsOf(at, 'AbortedByUser')).toHaveLength(1);
  expect(await eventsOf(at, 'Aborted')).toHaveLength(1);
  const again = await act(at, 'abort');
  expect(lastAct(again)).toMatchObject({ result: 'Ignored' });

  const before = textAt(again, 'status', 'canary', 'releaseID');
  const retried = await act(at, 'retry');
  expect(textAt(retried, 'status', 'canary', 'releaseID')).not.toBe(before);
  const second = await at.until(isPausedAt(1));
  expect(recordsOf(second).map(({ outcome }) => outcome)).toEqual(['Progressing', 'Aborted', 'Complete']);
  expect(recordsOf(second)[1]).toMatchObject({ cause: 'AbortedByUser' });
  await act(at, 'promote');
  await at.until(isComplete);
});

test('retry of a failed hook makes a run of its own, and only that one counts', async () => {
  const at = await closedAfterTest(releasing([{ partition: 3 }, hook]));
  at.answer(() => ({ age: 45 }));
  const failed = await at.until(isPausedAt(1));
  const name = textAt(failed, 'status', 'canary', 'currentStepHookRun') ?? '';
  await act(at, 'retry');
  const twice = await at.until(isPausedAt(1));
  expect(twice).toMatchObject({ status: { canary: { retries: 1, currentStepHookRun: `${name}-2` } } });
  expect(runNames(at)).toEqual([name, `${name}-2`]);
  expect(at.runs().map((run) => labelsOf(run)['boathook.dev/retry'])).toEqual([undefined, '1']);
  at.answer(() => ({ age: 25 }));
  await act(at, 'retry');
  const done = await at.until(isComplete);
  expect(recordsOf(done)[0]).toMatchObject({
    outcome: 'Complete',
    verdicts: [
      { hookRun: name, phase: 'Failed' },
      { hookRun: `${name}-2`, phase: 'Failed' },
      { hookRun: `${name}-3`, phase: 'Successful' },
    ],
    acts: [{ verb: 'retry' }, { verb: 'retry' }],
  });
});

test('requests that make no sense are ignored and say why', async () => {
  const at = await closedAfterTest(releasing([{ partition: 3 }, { pause: {} }, { partition: 0 }]));
  await at.until(isPausedAt(1));
  const said = async (verb: ActVerb, parts?: ActParts): Promise<string | undefined> =>
    textAt(lastAct(await act(at, verb, parts)), 'message');
  expect(await said('retry')).toBe('The request retry was ignored: no hook has failed at step 2/3.');
  expect(await said('promote', { toStep: 0 })).toContain('step 2/3 is already reached');
  await at.patch({ metadata: { annotations: { 'boathook.dev/release-act': '{"verb":"explode"}' } } });
  const unreadable = await at.until(
    (each) => textAt(lastAct(each), 'message')?.startsWith('The annotation') === true,
  );
  expect(lastAct(unreadable)).toMatchObject({ result: 'Ignored' });
  expect(stepOf(unreadable)).toBe(1);
});
