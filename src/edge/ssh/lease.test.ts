import { expect, test } from 'vitest';
import { instant, seconds } from '#base/time.ts';
import { virtualTime } from '#edge/virtual-time.ts';
import { UnexpectedAnswer } from './failure.ts';
import { takeLease } from './lease.ts';
import { sessionShell } from './session-shell.ts';

const never = new AbortController().signal;

const request = {
  folder: '/var/lib/boathook/harbour/m1',
  operationFolder: '/var/lib/boathook/harbour/m1/one',
  stateDir: '/var/lib/boathook',
  host: undefined,
  scope: ['harbour', 'one'],
  run: 'run-1',
  holder: 'computer 1 now boathook one',
  touchEvery: seconds(10),
  staleAfter: seconds(30),
} as const;

test('a program whose output cannot be stored may run on: the machine is given up, with the cause', async () => {
  const shell = sessionShell('m1', async ({ out, input }) => {
    out('boathook-0\n');
    out('F boot-1 x86_64\nL taken 1 \n');
    for await (const _program of input) out('O 3\nabc');
    return 0;
  });
  const leased = await takeLease(shell, request, virtualTime(instant(0)).clock, never);
  if (leased.type !== 'taken') throw new Error(leased.type);
  const onFrame = (): void => {
    throw new Error('ENOSPC: no space left on device');
  };
  const followed = leased.lease.follow('true', { onFrame }, never);
  await expect(followed).rejects.toThrow(UnexpectedAnswer);
  await expect(followed).rejects.toThrow('no space left');
  await shell.closed;
});
