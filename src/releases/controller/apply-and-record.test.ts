import { expect, test } from 'vitest';
import type { EventNote } from '#releases/model/action.ts';
import { applyAndRecord } from './apply-and-record.ts';

const note = (reason: string): EventNote => ({ type: 'Warning', reason, message: '' });
const notes = [note('CanaryStep'), note('HookDeadlineProceed')];

test('all events of a decision are recorded after its writes', async () => {
  const recorded: string[] = [];
  const result = await applyAndRecord(
    notes,
    ({ reason }) => recorded.push(reason),
    () => {
      recorded.push('written');
      return Promise.resolve('done');
    },
  );
  expect({ result, recorded }).toEqual({
    result: 'done',
    recorded: ['written', 'CanaryStep', 'HookDeadlineProceed'],
  });
});

test('the event of a hook that is overdue is recorded also when the answer to the write is lost', async () => {
  const recorded: string[] = [];
  const applied = applyAndRecord(
    notes,
    ({ reason }) => recorded.push(reason),
    () => Promise.reject(new Error('the answer was lost')),
  );
  await expect(applied).rejects.toThrow('the answer was lost');
  expect(recorded).toEqual(['HookDeadlineProceed']);
});
