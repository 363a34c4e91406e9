import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instant, later, millis, seconds, type Instant } from '#base/time.ts';
import type { Policy } from './model.ts';
import { nextActions, nextAttempt, type NextAction } from './next-actions.ts';
import { localNode, stepsOf, taskKey, taskOfKey, type MachinePlan, type PlanStep } from './plan.ts';
import {
  advance,
  nothingYet,
  replay,
  type JournalRecord,
  type TaskOutcome,
  type OperationProgress,
} from './progress.ts';
import { exitCodeOf, taskStates, verdictOf } from './verdict.ts';

const usual: Policy = {
  onFailure: 'abort',
  retry: { initial: seconds(1), factor: 2, cap: seconds(300) },
  onUnknown: 'fail',
  outputLimit: 1000,
};

const step = (id: string, nodes: readonly string[], policy: Partial<Policy> = {}): PlanStep => ({
  kind: 'hook',
  id,
  title: id,
  targets: nodes.map((node) => ({ node, env: [], fingerprint: 'f' })),
  policy: { ...usual, ...policy },
  program: { type: 'text', name: id, text: '' },
  digest: '',
  argv: [],
  envNames: [],
  attachments: [],
});

const planOf = (...stages: readonly (readonly PlanStep[])[]): MachinePlan => ({
  cluster: 'c',
  operation: 'cluster.create',
  stages: stages.map((steps, index) => ({ id: `s${index}`, title: '', steps })),
  parallel: 10,
  onUnreachable: 'refuse',
  notes: [],
});

const start = instant(1_000_000);
const succeeded: TaskOutcome = { type: 'succeeded' };
const failed: TaskOutcome = { type: 'failed', exit: 7, message: 'exit 7' };
const unknown: TaskOutcome = { type: 'unknown', message: 'gone' };

const unreachable = (launched: boolean): TaskOutcome => ({
  type: 'unreachable',
  message: 'lost',
  refused: false,
  launched,
});
const opened = (): JournalRecord => ({ type: 'opened', at: start, run: 'next' });

const intent = (id: string, node: string, attempt = 1, at = start): JournalRecord => ({
  type: 'intent',
  at,
  step: id,
  node,
  attempt,
  fingerprint: 'f',
});
const result = (id: string, node: string, outcome: TaskOutcome, attempt = 1): JournalRecord => ({
  type: 'result',
  at: start,
  step: id,
  node,
  attempt,
  outcome,
});
const ran = (id: string, node: string, outcome: TaskOutcome): readonly JournalRecord[] => [
  intent(id, node),
  result(id, node, outcome),
];
const keys = (actions: readonly NextAction[]): readonly string[] =>
  actions.map(({ type, step, target, attempt }) => `${type} ${step.id}@${target.node}#${attempt}`);
const next = (plan: MachinePlan, records: readonly JournalRecord[], now: Instant = start) =>
  nextActions(plan, replay(records), now);
const verdict = (plan: MachinePlan, records: readonly JournalRecord[]) => verdictOf(plan, replay(records));

describe('order', () => {
  const plan = planOf([step('a', ['1', '2']), step('b', ['1', '2', '3'])], [step('c', ['1'])]);

  test('each node starts with its own first step', () => {
    expect(keys(next(plan, []).actions)).toEqual(['run a@1#1', 'run a@2#1', 'run b@3#1']);
  });

  test('within a stage no node waits for another', () => {
    const records = [...ran('a', '1', succeeded), intent('a', '2')];
    expect(keys(next(plan, records).actions)).toEqual(['run b@1#1', 'run b@3#1']);
  });

  test('a stage waits for all of the one before', () => {
    const most = ['1', '2'].flatMap((node) => [...ran('a', node, succeeded), ...ran('b', node, succeeded)]);
    expect(keys(next(plan, [...most, intent('b', '3')]).actions)).toEqual([]);
    expect(keys(next(plan, [...most, ...ran('b', '3', succeeded)]).actions)).toEqual(['run c@1#1']);
  });

  test('nothing twice: what is noted is not given again', () => {
    expect(next(plan, [intent('a', '1'), intent('a', '2'), intent('b', '3')])).toEqual({
      actions: [],
      over: false,
    });
  });

  test('an empty plan is over', () => {
    expect(next(planOf(), [])).toEqual({ actions: [], over: true });
    expect(verdict(planOf(), []).state).toBe('Succeeded');
  });
});

describe('a plan that was made again without a step that runs', () => {
  const plan = planOf([step('b', ['1', '2', '3'])]);
  const running = [intent('gone', '1')];

  test('nothing starts beside it', () => {
    expect(keys(next(plan, running).actions)).toEqual(['run b@2#1', 'run b@3#1']);
  });

  test('it counts among the nodes at a time', () => {
    expect(keys(next({ ...plan, parallel: 2 }, running).actions)).toEqual(['run b@2#1']);
  });

  test('the operation is not over before it has ended', () => {
    const done = ['1', '2', '3'].flatMap((node) => ran('b', node, succeeded));
    expect(next(plan, [...done, ...running])).toEqual({ actions: [], over: false });
    expect(next(plan, [...done, ...running, result('gone', '1', failed)]).over).toBe(true);
    expect(next(plan, [...ran('b', '2', failed), ...running])).toEqual({ actions: [], over: false });
  });

  test('left by an operator that has ended, it holds no other node', () => {
    expect(keys(next(plan, [...running, opened()]).actions)).toEqual(['run b@1#1', 'run b@2#1', 'run b@3#1']);
  });
});

test.for<[string, readonly JournalRecord[], number]>([
  ['nothing began', [], 1],
  ['an intent without a result: its own is asked', [intent('a', '1', 2), opened()], 2],
  ['failed', ran('a', '1', failed), 2],
  ['its machine was lost: its own is asked', ran('a', '1', unreachable(true)), 1],
  ['never reached', ran('a', '1', unreachable(false)), 2],
])('the attempt that the next action is about: %s', ([, records, attempt]) => {
  const a = step('a', ['1'], { onFailure: 'retry' });
  const target = { node: '1', env: [], fingerprint: 'f' };
  expect(nextAttempt(a, target, replay(records))).toBe(attempt);
});

test.for([
  ['node-pre/PreInstall', '10.0.0.1'],
  ['a@b', 'worker-0'],
  ['local/step', localNode],
] as const)('the key of %s on %s names both', ([id, node]) => {
  expect(taskOfKey(taskKey(id, node))).toEqual({ step: id, node });
});

describe('a step that one node does for another', () => {
  const marking = (about: string): PlanStep => ({ ...step(`mark/${about}`, ['first']), about });
  const joining = ['1', '2'].flatMap((node) => [
    step(`join/${node}`, [node], { onFailure: 'isolate-node' }),
    marking(node),
  ]);
  const plan = planOf([...joining, step('post', ['1', '2'])]);

  test('comes in the turn of that other', () => {
    expect(keys(next(plan, []).actions)).toEqual(['run join/1@1#1', 'run join/2@2#1']);
    const one = [...ran('join/1', '1', succeeded), intent('join/2', '2')];
    expect(keys(next(plan, one).actions)).toEqual(['run mark/1@first#1']);
    const marked = [...one, ...ran('mark/1', 'first', succeeded)];
    expect(keys(next(plan, marked).actions)).toEqual(['run post@1#1']);
  });

  test('waits while the same node works for another one', () => {
    const both = [...ran('join/1', '1', succeeded), ...ran('join/2', '2', succeeded)];
    expect(keys(next(plan, both).actions)).toEqual(['run mark/1@first#1']);
    expect(keys(next(plan, [...both, intent('mark/1', 'first')]).actions)).toEqual([]);
    const one = [...both, ...ran('mark/1', 'first', succeeded)];
    expect(keys(next(plan, one).actions)).toEqual(['run mark/2@first#1', 'run post@1#1']);
  });

  test('is not done for a node that is out', () => {
    const out = [
      ...ran('join/1', '1', failed),
      ...ran('join/2', '2', succeeded),
      ...ran('mark/2', 'first', succeeded),
      ...ran('post', '2', succeeded),
    ];
    expect(next(plan, out)).toEqual({ actions: [], over: true });
    expect(verdict(plan, out)).toMatchObject({ state: 'PartlySucceeded', done: 6, total: 6 });
    expect(taskStates(plan, replay(out))(marking('1'), 'first')).toBe('Skipped');
  });

  test('takes that other out when it fails, not the one that does it', () => {
    const isolating = planOf([{ ...step('mark', ['first'], { onFailure: 'isolate-node' }), about: '1' }]);
    const { isolated } = verdict(isolating, ran('mark', 'first', failed));
    expect([...isolated.keys()]).toEqual(['1']);
  });
});

describe('limits', () => {
  const nodes = Array.from({ length: 30 }, (_, index) => `n${index}`);
  test('of the plan', () => {
    const plan = { ...planOf([step('a', nodes)]), parallel: 4 };
    expect(next(plan, []).actions).toHaveLength(4);
    expect(next(plan, [intent('a', 'n0'), intent('a', 'n1')]).actions).toHaveLength(2);
  });
  test('of a step', () => {
    const plan = planOf([step('a', nodes.slice(0, 5), { parallel: 1 }), step('b', ['other'])]);
    expect(keys(next(plan, []).actions)).toEqual(['run a@n0#1', 'run b@other#1']);
  });
});

describe('what a failure leads to', () => {
  const plan = (policy: Partial<Policy>): MachinePlan =>
    planOf([step('a', ['1', '2'], policy)], [step('b', ['1', '2'])]);
  const half = [...ran('a', '1', failed), intent('a', '2')];
  const both = [...half, result('a', '2', succeeded)];

  test('abort: the others finish, nothing new starts', () => {
    expect(next(plan({}), half)).toEqual({ actions: [], over: false });
    expect(next(plan({}), both)).toEqual({ actions: [], over: true });
    expect(verdict(plan({}), both)).toMatchObject({ state: 'Failed', failures: [{ node: '1' }] });
    expect(exitCodeOf(verdict(plan({}), both), false)).toBe(1);
  });

  test('ignore: a warning, and the next step runs on that node too', () => {
    const ignoring = plan({ onFailure: 'ignore' });
    expect(keys(next(ignoring, both).actions)).toEqual(['run b@1#1', 'run b@2#1']);
    const all = [...both, ...ran('b', '1', succeeded), ...ran('b', '2', succeeded)];
    expect(verdict(ignoring, all)).toMatchObject({ state: 'Succeeded', ignored: [{ node: '1' }] });
    expect(exitCodeOf(verdict(ignoring, all), false)).toBe(0);
    expect(exitCodeOf(verdict(ignoring, all), true)).toBe(4);
  });

  test('isolate-node: that node is skipped, the others continue', () => {
    const isolating = plan({ onFailure: 'isolate-node' });
    expect(keys(next(isolating, both).actions)).toEqual(['run b@2#1']);
    const all = [...both, ...ran('b', '2', succeeded)];
    expect(next(isolating, all).over).toBe(true);
    expect(verdict(isolating, all)).toMatchObject({ state: 'PartlySucceeded', done: 4, total: 4 });
    expect(exitCodeOf(verdict(isolating, all), false)).toBe(4);
    const [, b] = stepsOf(isolating);
    expect(b && taskStates(isolating, replay(all))(b, '1')).toBe('Skipped');
  });

  test('isolate-node: with every node out the operation has failed', () => {
    const none = [...half, result('a', '2', failed)];
    expect(verdict(plan({ onFailure: 'isolate-node' }), none).state).toBe('Failed');
  });

  test('retry: the same node again after its pause, and only that one', () => {
    const retrying = plan({ onFailure: 'retry' });
    expect(next(retrying, both)).toEqual({ actions: [], wakeAt: later(start, seconds(1)), over: false });
    expect(verdict(retrying, both).state).toBe('Blocked');
    expect(keys(next(retrying, both, later(start, seconds(1))).actions)).toEqual(['run a@1#2']);
  });

  test('retry: nobody waits until a clock that was set back has caught up', () => {
    const retrying = plan({ onFailure: 'retry' });
    expect(keys(next(retrying, both, instant(start - 3_600_000)).actions)).toEqual(['run a@1#2']);
  });

  test('retry: pauses double up to the cap', () => {
    const retrying = plan({ onFailure: 'retry' });
    const pauses = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300];
    const records: JournalRecord[] = [];
    pauses.forEach((pause, index) => {
      records.push(intent('a', '1', index + 1), result('a', '1', failed, index + 1));
      expect(next(retrying, [...ran('a', '2', succeeded), ...records]).wakeAt).toBe(start + pause * 1000);
    });
  });

  test('retry: a limit ends it', () => {
    const limited = plan({ onFailure: 'retry', retry: { ...usual.retry, max: 1 } });
    const twice = [...both, intent('a', '1', 2), result('a', '1', failed, 2)];
    expect(verdict(limited, both).state).toBe('Blocked');
    expect(verdict(limited, twice).state).toBe('Failed');
  });

  test('retry: what cannot get better is not tried again', () => {
    const records = ran('a', '1', { type: 'failed', message: 'changed', permanent: true });
    expect(verdict(plan({ onFailure: 'retry' }), records).state).toBe('Failed');
    expect(exitCodeOf(verdict(plan({ onFailure: 'retry' }), records), false)).toBe(2);
    const mixed = [...records, ...ran('a', '2', failed)];
    expect(exitCodeOf(verdict(plan({}), mixed), false)).toBe(1);
  });

  test('only unreachable nodes: exit 5', () => {
    const lost: TaskOutcome = { type: 'unreachable', message: '', refused: false, launched: false };
    expect(exitCodeOf(verdict(plan({}), ran('a', '1', lost)), false)).toBe(5);
    expect(exitCodeOf(verdict(plan({}), [...ran('a', '1', lost), ...ran('a', '2', failed)]), false)).toBe(1);
  });
});

describe('after the operator died', () => {
  const plan = planOf([step('a', ['1', '2'])], [step('b', ['1'])]);
  const opened: JournalRecord = { type: 'opened', at: start, run: 'r' };

  test('the result of an intent is read from the node, under its own number', () => {
    const records = [opened, ...ran('a', '1', succeeded), intent('a', '2'), opened];
    expect(keys(next(plan, records).actions)).toEqual(['ask a@2#1']);
    const asked: JournalRecord = { type: 'asked', at: start, step: 'a', node: '2', attempt: 1 };
    expect(next(plan, [...records, asked])).toEqual({ actions: [], over: false });
    const adopted = [...records, asked, result('a', '2', { type: 'succeeded', adopted: true })];
    expect(keys(next(plan, adopted).actions)).toEqual(['run b@1#1']);
  });

  test('files on their way are simply sent again', () => {
    const staging: JournalRecord = { type: 'staging', at: start, step: 'a', node: '1', attempt: 1 };
    expect(keys(next(plan, [staging, opened]).actions)).toEqual(['run a@1#2', 'run a@2#1']);
  });

  test.for([
    ['rerun', ['run a@1#2'], 'Running'],
    ['fail', [], 'Failed'],
  ] as const)('an unknown end: %s', ([onUnknown, actions, state]) => {
    const own = planOf([step('a', ['1'], { onUnknown })]);
    expect(keys(next(own, ran('a', '1', unknown)).actions)).toEqual(actions);
    expect(verdict(own, ran('a', '1', unknown)).state).toBe(state);
  });

  test('an unknown end is not retried by itself', () => {
    const own = planOf([step('a', ['1'], { onUnknown: 'fail', onFailure: 'retry' })]);
    expect(verdict(own, ran('a', '1', unknown)).state).toBe('Failed');
  });

  test('a manual retry repeats what failed, and nothing else', () => {
    const retried: JournalRecord = { type: 'retried', at: start };
    const records = [...ran('a', '1', failed), ...ran('a', '2', succeeded), opened, retried];
    expect(keys(next(plan, records).actions)).toEqual(['run a@1#2']);
    const lost: TaskOutcome = { type: 'unreachable', message: '', refused: false, launched: true };
    expect(keys(next(plan, [...ran('a', '1', lost), opened, retried]).actions)).toContain('ask a@1#1');
  });

  test('a manual retry that is too early does not repeat running tasks', () => {
    const retried: JournalRecord = { type: 'retried', at: start };
    const records = [...ran('a', '1', failed), intent('a', '1', 2), retried];
    expect(keys(next(plan, records).actions)).toEqual(['run a@2#1']);
  });

  test('a manual retry of an earlier stage waits for what runs in a later one', () => {
    const plan = planOf([step('a', ['m', 'n'], { onFailure: 'ignore' })], [step('b', ['m', 'n'])]);
    const records: readonly JournalRecord[] = [
      intent('a', 'm'),
      result('a', 'm', failed),
      intent('a', 'n'),
      result('a', 'n', succeeded),
      intent('b', 'm'),
      { type: 'retried', at: start },
    ];
    const running = replay(records);
    expect(nextActions(plan, running, start)).toEqual({ actions: [], over: false });
    const killed = advance(running, { type: 'opened', run: 'r', at: start });
    expect(nextActions(plan, killed, start).actions).toMatchObject([{ type: 'ask', step: { id: 'b' } }]);
    const ended = advance(killed, result('b', 'm', succeeded));
    expect(nextActions(plan, ended, start).actions).toMatchObject([
      { type: 'run', step: { id: 'a' }, attempt: 2 },
    ]);
  });

  test('the job of a lost node is read before anything runs', () => {
    const lost: TaskOutcome = { type: 'unreachable', message: '', refused: false, launched: true };
    const own = planOf([step('a', ['1'], { onFailure: 'retry' })]);
    expect(keys(next(own, ran('a', '1', lost), later(start, seconds(1))).actions)).toEqual(['ask a@1#1']);
  });

  test('what Ctrl-C ended runs again on resume', () => {
    const records = [...ran('a', '1', { type: 'cancelled', message: '' }), opened];
    expect(keys(next(plan, records).actions)).toContain('run a@1#2');
  });

  test('a node that was left out at the start stays out', () => {
    const out: JournalRecord = { type: 'isolated', at: start, node: '2', message: 'no route' };
    expect(keys(next(plan, [out]).actions)).toEqual(['run a@1#1']);
    const all = [out, ...ran('a', '1', succeeded), ...ran('b', '1', succeeded)];
    expect(verdict(plan, all).state).toBe('PartlySucceeded');
  });
});

/** A whole operation with nodes that fail and an operator that is killed at the given moments. */
function play(
  plan: MachinePlan,
  dice: () => number,
  dies: () => boolean,
): { journal: JournalRecord[]; busiest: number } {
  const journal: JournalRecord[] = [{ type: 'opened', at: start, run: '0' }];
  let progress: OperationProgress = replay(journal);
  let now = start;
  let busiest = 0;
  const note = (record: JournalRecord): void => {
    journal.push(record);
    progress = advance(progress, record);
  };
  let open: NextAction[] = [];
  for (let turn = 0; turn < 5000; turn += 1) {
    const answer = nextActions(plan, progress, now);
    if (answer.over) break;
    for (const action of answer.actions) {
      const {
        step: { id },
        target: { node },
        attempt,
      } = action;
      if (action.type === 'ask') note({ type: 'asked', at: now, step: id, node, attempt });
      else note({ type: 'intent', at: now, step: id, node, attempt, fingerprint: 'f' });
      open.push(action);
    }
    busiest = Math.max(busiest, open.length);
    if (dies()) {
      open = [];
      note({ type: 'opened', at: now, run: String(turn) });
      continue;
    }
    const ending = open.shift();
    if (ending === undefined) now = answer.wakeAt ?? later(now, millis(1));
    else {
      const {
        step: { id },
        target: { node },
        attempt,
      } = ending;
      const outcome = dice() < 0.2 ? failed : succeeded;
      note({ type: 'result', at: now, step: id, node, attempt, outcome });
    }
  }
  return { journal, busiest };
}

/** Numbers from 0 to 1 that a seed decides. */
function chances(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

const arbitraryPlan = fc
  .tuple(
    fc.array(
      fc.array(
        fc.record({
          nodes: fc.uniqueArray(fc.constantFrom('1', '2', '3', '4'), { minLength: 1 }),
          onFailure: fc.constantFrom('retry', 'abort', 'isolate-node', 'ignore'),
          about: fc.option(fc.constantFrom('1', '2', '3', '4'), { nil: undefined, freq: 3 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      { minLength: 1, maxLength: 4 },
    ),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(([stages, parallel]): MachinePlan => ({
    ...planOf(
      ...stages.map((steps, s) =>
        steps.map(({ nodes, onFailure, about }, i) => ({
          ...step(`${s}.${i}`, nodes, { onFailure }),
          ...(about !== undefined && { about }),
        })),
      ),
    ),
    parallel,
  }));

test('with any failures and kills the operation ends, in order, and no success is repeated', () => {
  fc.assert(
    fc.property(arbitraryPlan, fc.integer(), (plan, seed) => {
      const draw = chances(seed);
      const { journal, busiest } = play(plan, draw, () => draw() < 0.1);
      expect(busiest).toBeLessThanOrEqual(plan.parallel);
      const progress = replay(journal);
      expect(nextActions(plan, progress, start).over || verdictOf(plan, progress).state === 'Blocked').toBe(
        true,
      );
      expect(['Succeeded', 'PartlySucceeded', 'Failed']).toContain(verdictOf(plan, progress).state);

      const done = new Set<string>();
      const stageOf = new Map(plan.stages.flatMap(({ steps }, s) => steps.map(({ id }) => [id, s] as const)));
      let reached = 0;
      for (const record of journal) {
        if (record.type === 'intent') {
          expect(done).not.toContain(taskKey(record.step, record.node));
          const stage = stageOf.get(record.step) ?? 0;
          expect(stage).toBeGreaterThanOrEqual(reached);
          reached = stage;
        }
        if (record.type === 'result' && record.outcome.type === 'succeeded')
          done.add(taskKey(record.step, record.node));
      }
    }),
    { numRuns: 300 },
  );
});

test('reading the journal again gives the same progress as living through it', () => {
  fc.assert(
    fc.property(arbitraryPlan, fc.integer(), (plan, seed) => {
      const draw = chances(seed);
      const { journal } = play(plan, draw, () => false);
      const lived = journal.reduce(advance, nothingYet);
      expect(replay(journal)).toEqual(lived);
    }),
    { numRuns: 50 },
  );
});
