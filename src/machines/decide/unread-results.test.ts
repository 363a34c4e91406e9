import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import type { MachinePlan } from './plan.ts';
import { repeatable } from './presets.ts';
import { replay, type JournalRecord, type TaskOutcome } from './progress.ts';
import { hasUnreadResult, unseenTasks } from './unread-results.ts';

const plan: MachinePlan = {
  cluster: 'harbour',
  operation: 'node.join',
  stages: [
    {
      id: 'hooks',
      title: 'hooks',
      steps: [
        {
          kind: 'hook',
          id: 'pre',
          title: 'pre',
          targets: ['m1', 'm2'].map((node) => ({ node, env: [], fingerprint: '' })),
          policy: repeatable('isolate-node'),
          program: { type: 'text', name: 'a.sh', text: '' },
          digest: '',
          argv: [],
          envNames: [],
          attachments: [],
        },
      ],
    },
  ],
  parallel: 1,
  onUnreachable: 'isolate-node',
  notes: [],
};

const task = { step: 'pre', node: 'm1', attempt: 1, at: instant(0) };
const intent: JournalRecord = { type: 'intent', fingerprint: '', ...task };
const result = (outcome: TaskOutcome): JournalRecord => ({ type: 'result', outcome, ...task });
const unreachable = (launched: boolean): TaskOutcome => ({
  type: 'unreachable',
  message: 'gone',
  refused: false,
  launched,
});

test.for<[string, readonly JournalRecord[], boolean]>([
  ['nothing began', [], false],
  ['started, no result', [intent], true],
  ['started, then unreachable', [intent, result(unreachable(true))], true],
  ['unreachable before it started', [result(unreachable(false))], false],
  ['read', [intent, result({ type: 'succeeded' })], false],
  ['failed', [intent, result({ type: 'failed', message: 'exit 1', exit: 1 })], false],
])('%s', ([, records, isUnread]) => {
  expect(hasUnreadResult(plan, replay(records), 'm1')).toBe(isUnread);
  expect(hasUnreadResult(plan, replay(records), 'm2')).toBe(false);
});

test('a script may run unseen after its node was lost, until its result is read', () => {
  const lost = [intent, result(unreachable(true))];
  const unseen = (records: readonly JournalRecord[]): readonly string[] =>
    unseenTasks(plan, replay(records), 'm1').map(({ step, attempt }) => `${step.id}.${attempt}`);
  expect(unseen([intent])).toEqual([]);
  expect(unseen(lost)).toEqual(['pre.1']);
  expect(unseen([...lost, result({ type: 'succeeded' })])).toEqual([]);
});
