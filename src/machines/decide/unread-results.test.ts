import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import { localNode } from './plan.ts';
import { replay, type JournalRecord, type TaskOutcome } from './progress.ts';
import { hasUnreadResult, unseenTasks } from './unread-results.ts';

const task = { step: 'pre', node: 'm1', attempt: 1, at: instant(0) };
const staging: JournalRecord = { type: 'staging', ...task };
const intent: JournalRecord = { type: 'intent', fingerprint: '', ...task };
const opened: JournalRecord = { type: 'opened', run: 'next', at: instant(0) };
const result = (outcome: TaskOutcome): JournalRecord => ({ type: 'result', outcome, ...task });
const unreachable = (launched: boolean): TaskOutcome => ({
  type: 'unreachable',
  message: 'gone',
  refused: false,
  launched,
});
const lost = [intent, result(unreachable(true))];

test.for<[string, readonly JournalRecord[], boolean]>([
  ['nothing began', [], false],
  ['its files are sent', [staging], false],
  ['started, no result', [intent], true],
  ['started by an operator that has ended', [intent, opened], true],
  ['started, then unreachable', lost, true],
  ['unreachable before it started', [result(unreachable(false))], false],
  ['read', [intent, result({ type: 'succeeded' })], false],
  ['failed', [intent, result({ type: 'failed', message: 'exit 1', exit: 1 })], false],
])('%s', ([, records, isUnread]) => {
  expect(hasUnreadResult(replay(records), 'm1')).toBe(isUnread);
  expect(hasUnreadResult(replay(records), 'm2')).toBe(false);
});

test.for<[string, readonly JournalRecord[], readonly string[]]>([
  ['one that this operator follows', [intent], []],
  ['one that nobody follows since its operator ended', [intent, opened], ['pre.1']],
  ['one whose node was lost', lost, ['pre.1']],
  ['one whose result was read then', [...lost, result({ type: 'succeeded' })], []],
])('what may run unseen: %s', ([, records, unseen]) => {
  const found = unseenTasks(replay(records), 'm1').map(({ step, attempt }) => `${step}.${attempt}`);
  expect(found).toEqual(unseen);
});

test("the operator's own machine is a node as well", () => {
  const own = replay([{ ...intent, node: localNode }, opened]);
  expect(unseenTasks(own, localNode)).toEqual([{ step: 'pre', node: localNode, attempt: 1 }]);
  expect(unseenTasks(own, 'm1')).toEqual([]);
});
