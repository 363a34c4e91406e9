import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerChannel } from 'ssh2';
import { millis, type Clock } from '#base/time.ts';
import type { RunEnd } from '#machines/engine/run-plan.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import { jumpClock } from '../support/jump-clock.ts';
import { openHosts, type TestHosts } from '../support/sshd.ts';
import { greetingIn, openHostileServer, pour } from '../support/sshd/hostile-server.ts';
import { journalOf, operate } from '../support/sshd/operator.ts';
import { hook, planOf } from '../support/sshd/plans.ts';

let hosts: TestHosts;
beforeAll(() => {
  hosts = openHosts();
});
afterAll(() => hosts[Symbol.asyncDispose]());

type Story = {
  /** What the machine does when a script is launched. */
  readonly launched: (channel: ServerChannel) => void;
  readonly timeout?: number;
  readonly clock?: Clock;
};

type Told = {
  readonly end: RunEnd;
  readonly outcome: TaskOutcome | undefined;
  readonly log: string;
  readonly logSize: number;
};

/** A machine that grants the lease, and does something else than run the script. */
async function story({ launched, timeout, clock }: Story): Promise<Told> {
  await using server = await openHostileServer(hosts.key, (channel, command) => {
    channel.write(`${greetingIn(command)}F boot x86_64\nL taken 1 \n`);
    let heard = '';
    channel.on('data', (piece: Buffer) => {
      const before = heard;
      heard = (heard + piece.toString('latin1')).slice(-100_000);
      if (!before.includes('\n# end') && heard.includes('\n# end')) launched(channel);
    });
  });
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const limit = timeout === undefined ? {} : { timeout: millis(timeout) };
  const plan = planOf([[hook('#!/bin/sh\n', ['node-1'], limit)]]);
  const work = { id: 'op', plan, nodes: [server.node], dataDir, insecure: true, patienceMillis: 1000 };
  const end = await operate(work, clock && { clock });
  const results = journalOf(work).flatMap((record) => (record.type === 'result' ? [record.outcome] : []));
  const path = join(dataDir, 'logs/node-1/hook.1.log');
  return { end, outcome: results.at(-1), log: readFileSync(path, 'latin1'), logSize: statSync(path).size };
}

/** A second passes in a twentieth: nobody waits for machines that do nothing. */
function hurriedClock(): Disposable & { readonly clock: Clock } {
  const clock = jumpClock(millis(0));
  const hurry = setInterval(() => clock.jump(millis(1000)), 50);
  return { clock, [Symbol.dispose]: () => clearInterval(hurry) };
}

const mebibyte = 1024 * 1024;
const kilobyte = 'x'.repeat(32 * 1024);

test.for<{ what: string; launched: Story['launched'] }>([
  { what: 'pieces without end', launched: (channel) => pour(channel, `O 32768\n${kilobyte}`) },
  {
    what: 'a piece without end',
    launched: (channel) => (channel.write('E 9007199254740991\n'), pour(channel, kilobyte)),
  },
  { what: 'a line without end', launched: (channel) => pour(channel, kilobyte) },
  { what: 'words that mean nothing, without end', launched: (channel) => pour(channel, 'hello\n') },
  { what: 'complaints without end', launched: (channel) => pour(channel, kilobyte, channel.stderr) },
  {
    what: 'requests to go on, never reading the answers',
    launched: (channel) => (channel.pause(), pour(channel, `W ${'/'.repeat(900)}\n`)),
  },
])(
  'a machine that sends $what is cut off, and takes no more of the disk than agreed',
  async ({ launched }) => {
    const { end, outcome, logSize } = await story({ launched });
    expect(end).toMatchObject({ type: 'ended', verdict: { state: 'Failed' } });
    expect(outcome).toMatchObject({ type: 'unreachable', launched: true });
    expect(logSize).toBeLessThan(1.2 * mebibyte);
  },
);

test('the log of a machine that was cut off has a note', async () => {
  const { log, outcome } = await story({ launched: (channel) => pour(channel, `O 32768\n${kilobyte}`) });
  expect(log.trimEnd().split('\n').at(-1)).toBe(
    '[boathook: the machine sent more than 1048576 bytes of stdout, which it was to cut: it was cut off]',
  );
  expect(outcome).toMatchObject({ message: expect.stringContaining('it was cut off') as string });
});

test('a machine that hangs after the launch is given up when the limit of the script and a grace have passed', async () => {
  using hurried = hurriedClock();
  const begun = hurried.clock.now();
  const { outcome } = await story({ timeout: 1000, launched: () => undefined, clock: hurried.clock });
  expect(outcome).toMatchObject({
    type: 'unreachable',
    message: expect.stringContaining(
      'did not report the end of the script although its time is up',
    ) as string,
  });
  // Its limit and half a minute.
  expect(hurried.clock.now() - begun).toBeGreaterThanOrEqual(31_000);
});

test('a machine that hangs up after every launch is given up', async () => {
  const { outcome } = await story({ launched: (channel) => channel.end() });
  expect(outcome).toMatchObject({ type: 'unreachable', launched: true });
});

test('the output of a machine cannot move the cursor or reverse letters', async () => {
  await using server = await openHostileServer(hosts.key, (channel, command) => {
    channel.write(
      `${greetingIn(command)}F boot x86_64\nL held 3 x \u001B]0;owned\u0007\u001B[2Jevil 1 now \u202Efoo\n`,
    );
    channel.end();
  });
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const plan = planOf([[hook('#!/bin/sh\n', ['node-1'])]]);
  const end = await operate({ id: 'op', plan, nodes: [server.node], dataDir, insecure: true });
  expect(end).toMatchObject({ type: 'locked' });
  const text = end.type === 'locked' ? end.message : '';
  expect(text).toContain('evil');
  expect(text).not.toMatch(/[\p{Cc}\u202E]/u);
});
