import { expect, test } from 'vitest';
import type { EventNote } from '#releases/model/action.ts';
import { applyAndTell } from './tell-notes.ts';

const note = (reason: string): EventNote => ({ type: 'Warning', reason, message: '' });
const notes = [note('CanaryStep'), note('HookDeadlineProceed')];

test('all notes of a decision are told after its writes', async () => {
  const told: string[] = [];
  const result = await applyAndTell(
    notes,
    ({ reason }) => told.push(reason),
    () => {
      told.push('written');
      return Promise.resolve('done');
    },
  );
  expect({ result, told }).toEqual({
    result: 'done',
    told: ['written', 'CanaryStep', 'HookDeadlineProceed'],
  });
});

test('that a pod goes on without its hook is told also when the answer to the write is lost', async () => {
  const told: string[] = [];
  const applied = applyAndTell(
    notes,
    ({ reason }) => told.push(reason),
    () => Promise.reject(new Error('the answer was lost')),
  );
  await expect(applied).rejects.toThrow('the answer was lost');
  expect(told).toEqual(['HookDeadlineProceed']);
});
