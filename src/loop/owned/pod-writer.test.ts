import { expect, test } from 'vitest';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { virtualTime } from '#edge/virtual-time.ts';
import { createExpectations } from '#loop/expectations.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { PodWriter } from './pod-writer.ts';

const pod: KubeObject = { metadata: { name: 'a', namespace: 'default', uid: 'u1', resourceVersion: '5' } };
const whose = { key: 'default/g', owner: { metadata: { name: 'g' } } };

/** The pods of which the writer says that their deletion was not confirmed. */
async function deleting(answer: () => Promise<Outcome>): Promise<readonly string[]> {
  const unconfirmed: string[] = [];
  const writer = new PodWriter({
    client: { create: answer, remove: answer },
    events: { record: () => undefined },
    expectations: createExpectations(virtualTime(0).clock),
    mustBeAsSeen: true,
    unconfirmed: (each) => unconfirmed.push(nameOf(each)),
  });
  await writer.remove(whose, [pod], new AbortController().signal).catch(() => undefined);
  return unconfirmed;
}

test('a deletion without an answer is not confirmed', async () => {
  expect(await deleting(() => Promise.reject(new Unavailable('the answer was lost')))).toEqual(['a']);
});

test.for([
  { what: 'done', outcome: { type: 'ok', object: pod } },
  { what: 'refused', outcome: { type: 'forbidden', code: 403, message: 'no', status: {} } },
  { what: 'in conflict', outcome: { type: 'conflict', code: 409, message: 'changed', status: {} } },
] as const)('a deletion that is $what has an answer', async ({ outcome }) => {
  expect(await deleting(() => Promise.resolve(outcome))).toEqual([]);
});
