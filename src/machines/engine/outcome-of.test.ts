import { expect, test } from 'vitest';
import { millis, seconds } from '#base/time.ts';
import type { JobStep } from '#machines/decide/plan.ts';
import type { RemoteJobEnd } from '#edge/ssh/run-job.ts';
import { outcomeOf } from './outcome-of.ts';

const step: JobStep = {
  kind: 'hook',
  id: 'pre',
  title: 'PreInstall',
  program: { type: 'delivered', path: '/tmp/hooks/pre' },
  digest: 'sha256:0',
  argv: ['secret=argument'],
  envNames: [],
  attachments: [],
  targets: [],
  policy: {
    timeout: seconds(5),
    onFailure: 'abort',
    retry: { initial: millis(1), factor: 2, cap: millis(1) },
    onUnknown: 'rerun',
    outputLimit: 1,
  },
};
const about = { step, node: 'n1', log: '/data/n1.log', adopted: false };

test.for<{ end: RemoteJobEnd; type: string; says: string }>([
  { end: { type: 'exited', code: 0, lastLines: 'x' }, type: 'succeeded', says: '' },
  {
    end: { type: 'exited', code: 7, lastLines: 'bad' },
    type: 'failed',
    says: 'n1: PreInstall ended with exit code 7\nbad\nFull log: /data/n1.log',
  },
  {
    end: { type: 'timed-out', escaped: [3, 4], lastLines: '' },
    type: 'timedOut',
    says: 'longer than 5 s and was ended; processes that had left its group were killed: 3, 4',
  },
  { end: { type: 'cancelled', escaped: [], lastLines: '' }, type: 'cancelled', says: 'was cancelled' },
  { end: { type: 'refused' }, type: 'failed', says: 'another operator' },
  { end: { type: 'unstaged', freeKilobytes: 4 }, type: 'failed', says: '4 KiB are free' },
  { end: { type: 'absent' }, type: 'unknown', says: 'never started' },
  { end: { type: 'lost' }, type: 'unknown', says: 'neither its result nor its process' },
  { end: { type: 'rebooted' }, type: 'unknown', says: 'rebooted' },
  { end: { type: 'disconnected', message: 'gone' }, type: 'unreachable', says: 'n1: gone' },
])('$end.type becomes $type', ({ end, type, says }) => {
  const outcome = outcomeOf(end, about);
  expect(outcome.type).toBe(type);
  const message = 'message' in outcome ? outcome.message : '';
  expect(message).toContain(says);
  expect(message).not.toContain('argument');
});

test('an adopted job is marked', () => {
  const end: RemoteJobEnd = { type: 'exited', code: 0, lastLines: '' };
  expect(outcomeOf(end, { ...about, adopted: true })).toEqual({ type: 'succeeded', adopted: true });
});

test('a message keeps the end of the output and has at most 1 KiB', () => {
  const outcome = outcomeOf({ type: 'exited', code: 1, lastLines: `${'x'.repeat(5000)}end` }, about);
  const message = 'message' in outcome ? outcome.message : '';
  expect(message.length).toBe(1024);
  expect(message).toContain('end\nFull log:');
});
