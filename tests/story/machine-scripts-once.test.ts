import { expect, test } from 'vitest';
import { instant, seconds } from '#base/time.ts';
import type { PlanStep } from '#machines/decide/plan.ts';
import { replay, type JournalRecord } from '#machines/decide/progress.ts';
import { onlyNode, openScriptWorld, planWith, soleSegment } from '../support/script-world.ts';

const pre = 'node-pre/PreInstall';
const post = 'node-post/PostInstall';
const preInstall = { PreInstall: '/tmp/hooks/PreInstall' };
const postInstall = { PostInstall: '/tmp/hooks/PostInstall' };

test.for([
  ['goes on', 60, 0],
  ['has ended when the next run begins', 20, 30],
] as const)(
  'a Cluster with a gate is edited while a script behind the gate runs: a script that %s runs once',
  async ([, span, wait]) => {
    const world = openScriptWorld(seconds(span));
    const plan = planWith({ PreClusterInstall: { templateName: 'may-begin' }, ...preInstall });
    expect(plan.segments.map(({ type }) => type)).toEqual(['stages', 'gates', 'stages']);
    const journal: JournalRecord[] = [];
    expect(await world.carryOut(plan, journal, world.leaveAfterStart(seconds(3)))).toBe('taken-over');
    await world.pass(seconds(wait));
    const next = world.edited(journal);
    expect(await world.carryOut(plan, next)).toBe('complete');
    await world.pass(seconds(200));
    expect(world.started()).toEqual([pre]);
    expect(replay(next).tasks.get(`${pre}@${onlyNode}`)?.state).toBe('Succeeded');
  },
);

test('a hook is removed from a Cluster while its script runs: the next script starts after its end', async () => {
  const world = openScriptWorld(seconds(60));
  const journal: JournalRecord[] = [];
  const leave = world.leaveAfterStart(seconds(3));
  expect(await world.carryOut(planWith({ ...preInstall, ...postInstall }), journal, leave)).toBe(
    'taken-over',
  );
  const next = world.edited(journal);
  expect(await world.carryOut(planWith(postInstall), next)).toBe('complete');
  expect(world.started()).toEqual([pre, post]);
  expect(world.most()).toBe(1);
  expect(replay(next).tasks.get(`${pre}@${onlyNode}`)).toMatchObject({
    state: 'Succeeded',
    outcome: { type: 'succeeded', adopted: true },
  });
});

test('a hook is removed from a Cluster before its script has started: the operation goes on', async () => {
  const world = openScriptWorld(seconds(60));
  const journal = [intentOf(pre)];
  expect(await world.carryOut(planWith(postInstall), journal)).toBe('complete');
  expect(world.started()).toEqual([post]);
  expect(replay(journal).tasks.get(`${pre}@${onlyNode}`)).toMatchObject({
    state: 'Cancelled',
    outcome: { message: `${onlyNode}: ${pre} was never started` },
  });
});

test.for([
  ['a script waits', true],
  ['files wait', false],
] as const)(
  'an operation is cancelled while %s for a script that may still run: that script ends as well',
  async ([, isCopied]) => {
    const world = openScriptWorld(seconds(60));
    const journal: JournalRecord[] = [];
    const leave = world.leaveAfterStart(seconds(3));
    await world.carryOut(planWith({ ...preInstall, ...postInstall }), journal, leave);
    expect(world.running()).toBe(1);
    const next = world
      .edited(journal)
      .filter((record) => isCopied || !('step' in record) || record.step !== 'files/copy');
    const cancel = world.abortAfter(seconds(8));
    const end = await world.run({ plan: soleSegment(planWith(postInstall)), journal: next, cancel });
    expect(end).toMatchObject({ type: 'ended', verdict: { state: 'Cancelled' } });
    expect({ running: world.running(), started: world.started() }).toEqual({ running: 0, started: [pre] });
    expect(replay(next).tasks.get(`${pre}@${onlyNode}`)?.state).toBe('Cancelled');
  },
);

test('a script of an earlier part of the operation, whose machine was lost, ends before the next part begins', async () => {
  const world = openScriptWorld(seconds(60));
  const both = planWith({ ...preInstall, ...postInstall });
  const journal: JournalRecord[] = [];
  const leave = world.leaveAfterStart(seconds(3));
  await world.run({ plan: soleSegment(planWith(preInstall)), journal, leave });
  const outcome = { type: 'unreachable', message: 'lost', refused: false, launched: true } as const;
  journal.push({ ...taskOf(pre), type: 'result', outcome });
  const next = soleSegment(planWith(postInstall));
  expect(await world.run({ plan: next, whole: both.plan, journal })).toMatchObject({ type: 'ended' });
  expect(world.started()).toEqual([pre, post]);
  expect(world.most()).toBe(1);
});

test.for([
  ['of all of it', false],
  ['not of a part', true],
] as const)(
  'a result that nobody will read is removed after the success of the operation: %s',
  async ([, isPart]) => {
    const world = openScriptWorld(seconds(10));
    const { stages, ...rest } = soleSegment(planWith({ ...preInstall, ...postInstall }));
    const plan = { ...rest, stages: stages.map((stage) => ({ ...stage, steps: stage.steps.map(ignoring) })) };
    // The machine has rebooted, and knows nothing of the script.
    const outcome = { type: 'unreachable', message: 'lost', refused: false, launched: true } as const;
    const journal: JournalRecord[] = [
      { ...taskOf('files/copy'), type: 'result', outcome: { type: 'succeeded' } },
      intentOf(pre),
      { ...taskOf(pre), type: 'result', outcome },
    ];
    const later = plan.stages.map((stage) => ({
      ...stage,
      steps: stage.steps.map((step) => ({ ...step, id: `later/${step.id}` })),
    }));
    const whole = isPart ? { ...plan, stages: [...plan.stages, ...later] } : plan;
    expect(await world.run({ plan, whole, journal })).toMatchObject({ verdict: { state: 'Succeeded' } });
    expect({ started: world.started(), keeps: world.keeps('operation-1') }).toEqual({
      started: [post],
      keeps: isPart,
    });
  },
);

test('a script of another operation that was waited for is not run again after a kill between intent and start', async () => {
  const world = openScriptWorld(seconds(60));
  const plan = soleSegment(planWith(preInstall));
  // Another operation starts the very same script, and its operator is killed.
  await world.run({ plan, journal: [], leave: world.leaveAfterStart(seconds(3)), id: 'operation-2' });
  const target = plan.stages.flatMap(({ steps }) => steps).find(({ id }) => id === pre)?.targets[0];
  const journal: JournalRecord[] = [
    { ...taskOf('files/copy'), type: 'result', outcome: { type: 'succeeded' } },
    { ...intentOf(pre), fingerprint: target?.fingerprint ?? '' },
  ];
  expect(await world.run({ plan, journal })).toMatchObject({ verdict: { state: 'Succeeded' } });
  expect(world.started()).toEqual([pre]);
});

test.for(['staging', 'intent', 'result', 'closed'] as const)(
  'a record "%s" that cannot be written ends the run with the reason; the next run starts no script again',
  async (type) => {
    const world = openScriptWorld(seconds(10));
    const plan = soleSegment(planWith(preInstall));
    const journal: JournalRecord[] = [];
    let failures = 0;
    const write = (record: JournalRecord): void => {
      if (record.type !== type || failures > 0 || ('step' in record && record.step !== pre)) return;
      failures += 1;
      throw new Error('ENOSPC: no space left on device');
    };
    await expect(world.run({ plan, journal, write })).rejects.toThrow(
      /^The journal of operation operation-1 cannot be written \(.*\): ENOSPC: no space left on device$/,
    );
    expect(await world.run({ plan, journal, write })).toMatchObject({ verdict: { state: 'Succeeded' } });
    expect({ failures, started: world.started() }).toEqual({ failures: 1, started: [pre] });
  },
);

/** As with --force. */
const ignoring = (step: PlanStep): PlanStep => ({ ...step, policy: { ...step.policy, onFailure: 'ignore' } });
const taskOf = (step: string) => ({ step, node: onlyNode, attempt: 1, at: instant(0) });
const intentOf = (step: string): Extract<JournalRecord, { type: 'intent' }> => ({
  ...taskOf(step),
  type: 'intent',
  fingerprint: '',
});
