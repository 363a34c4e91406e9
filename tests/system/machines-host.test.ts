import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunEnd } from '#machines/engine/run-plan.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import { ownNetwork } from '../support/own-network.ts';
import { openHosts, type TestHost, type TestHosts } from '../support/sshd.ts';
import { operate, type OperatorWork } from '../support/sshd/operator.ts';
import { startOperator } from '../support/sshd/operator-process.ts';
import { hook, nodeAt, planOf } from '../support/sshd/plans.ts';

let hosts: TestHosts;
let host: TestHost;
/** One host by two addresses, and by a name that another file gives it. */
let [one, two, other]: ClusterNode[] = [];
let operations = 0;

beforeAll(async () => {
  hosts = openHosts();
  const network = await ownNetwork();
  host = await hosts.add({ folders: ['/srv'], addresses: [`127.${network}.2.1`, `127.${network}.2.2`] });
  const at = (name: string, index: number): ClusterNode =>
    nodeAt(name, { address: host.addresses[index] ?? '', port: host.port, key: hosts.key });
  [one, two, other] = [at('node-1', 0), at('node-2', 1), at('other', 1)];
});
afterAll(() => hosts[Symbol.asyncDispose]());

const workOf = (changes: Partial<OperatorWork>): OperatorWork => ({
  id: `op-${++operations}`,
  nodes: [one as ClusterNode],
  plan: planOf([]),
  dataDir: mkdtempSync(join(hosts.folder, 'data-')),
  graceMillis: 1000,
  insecure: true,
  ...changes,
});

/** Notes that it runs, and runs until it is let go. */
const patient = (name: string): string => `#!/bin/sh
echo run >>/srv/${name}.runs
echo begun
while [ ! -e /srv/${name}.go ]; do sleep 0.05; done
`;
const letGo = (name: string): void => writeFileSync(host.path(`/srv/${name}.go`), '');
const runsOf = (name: string): number =>
  readFileSync(host.path(`/srv/${name}.runs`), 'utf8').split('\n').length - 1;
const stateOf = (end: RunEnd): string => (end.type === 'ended' ? end.verdict.state : end.type);

test('a host under another name, of another cluster, with another state directory is worked on once at a time', async () => {
  const plan = planOf([[hook(patient('names'), ['node-1'])]]);
  const work = workOf({ plan });
  const operator = startOperator(work);
  await operator.lineLike(/begun/);
  const second = planOf([[hook('#!/bin/sh\ntouch /srv/second\n', ['other'])]], { cluster: 'cls-other' });
  const end = await operate(
    workOf({ plan: second, nodes: [other as ClusterNode], stateDir: '/srv/elsewhere' }),
  );
  expect(end).toEqual({
    type: 'locked',
    message: expect.stringMatching(
      new RegExp(
        `^other is in use by process ${operator.pid} on \\S+ since \\S+ \\(cluster.create, operation ${work.id} of cluster cls-test\\)`,
      ),
    ) as string,
  });
  expect(existsSync(host.path('/srv/second'))).toBe(false);
  letGo('names');
  await operator.lineLike(/"state":"Succeeded"\},/);
  await operator.ended;
  // Free again.
  expect(stateOf(await operate(workOf({ plan: second, nodes: [other as ClusterNode] })))).toBe('Succeeded');
  expect(host.run('find', '/run/boathook', '-name', 'claim.*')).toBe('');
});

test('one operation can have a host under two names', async () => {
  const plan = planOf([[hook('#!/bin/sh\nsleep 0.2\n', ['node-1', 'node-2'])]]);
  const end = await operate(workOf({ plan, nodes: [one as ClusterNode, two as ClusterNode] }));
  expect(stateOf(end)).toBe('Succeeded');
});

test('the claim of an operator that was killed, or that hangs, does not block others for long', async () => {
  const plan = planOf([[hook(patient('hangs'), ['node-1'])]]);
  const operator = startOperator(workOf({ plan, leaseTouchMillis: 60_000 }));
  await operator.lineLike(/begun/);
  process.kill(operator.pid, 'SIGSTOP');
  letGo('hangs');
  await expect.poll(() => host.test('ls /var/lib/boathook/cls-test/node-1/*/hook.1/exit')).toBe(true);
  await expect
    .poll(() => host.test('[ $(($(date +%s) - $(stat -c %Y /run/boathook/claim.*))) -ge 2 ]'))
    .toBe(true);
  const second = planOf([[hook('#!/bin/sh\n', ['other'])]], { cluster: 'cls-other' });
  const end = await operate(workOf({ plan: second, nodes: [other as ClusterNode], leaseStaleMillis: 2000 }));
  expect(stateOf(end)).toBe('Succeeded');
  process.kill(operator.pid, 'SIGCONT');
  void operator.stop('SIGKILL');
  await operator.ended;
});

test('the lease of an earlier version, which has no claims, is respected', async () => {
  const holder = 'there 77 2026-01-01T00:00:00Z boathook cluster deploy';
  host.run(
    'sh',
    '-c',
    `mkdir -p /var/lib/boathook/cls-old/node-x && cd /var/lib/boathook/cls-old/node-x &&
    { sleep 600 >/dev/null 2>&1 </dev/null & } && pid=$! && set -- $(cat /proc/$pid/stat) && shift 21 &&
    echo "4 $pid $1 $(cat /proc/sys/kernel/random/boot_id) run-1 ${holder}" >lease && echo $pid >/srv/sleeper`,
  );
  const plan = planOf([[hook('#!/bin/sh\n', ['node-1'])]]);
  expect(await operate(workOf({ plan }))).toMatchObject({
    type: 'locked',
    message: expect.stringContaining(
      'node-1 is in use by process 77 on there since 2026-01-01T00:00:00Z (boathook cluster deploy of cluster cls-old)',
    ) as string,
  });
  host.run('sh', '-c', 'kill $(cat /srv/sleeper)');
  expect(stateOf(await operate(workOf({ plan })))).toBe('Succeeded');
});

/** Starts an operation, and kills its operator while its script runs. */
async function abandon(work: OperatorWork): Promise<void> {
  const operator = startOperator(work);
  await operator.lineLike(/begun/);
  void operator.stop('SIGKILL');
  await operator.ended;
  await expect.poll(() => host.run('find', '/run/boathook', '-name', 'claim.*')).toBe('');
}

test('the same script, left running by an operator that was killed, is waited for and not run again', async () => {
  const plan = planOf([
    [hook(patient('same'), ['node-1'])],
    [hook('#!/bin/sh\necho after\n', ['node-1'], { id: 'after' })],
  ]);
  const first = workOf({ plan });
  await abandon(first);
  const events: ProgressEvent[] = [];
  const work = workOf({ plan });
  const end = await operate(work, {
    emit(event) {
      events.push(event);
      if (event.type === 'notice' && /waiting for its end/.test(event.message)) letGo('same');
    },
  });
  expect(stateOf(end)).toBe('Succeeded');
  expect(runsOf('same')).toBe(1);
  expect(readFileSync(join(work.dataDir, 'logs/node-1/hook.1.log'), 'utf8')).toBe('begun\n');
  expect(events).toContainEqual(
    expect.objectContaining({
      message: expect.stringMatching(/has succeeded, and is not run again/) as string,
    }),
  );
  // The operation that started it is resumed, and finds its end too.
  expect(stateOf(await operate(first))).toBe('Succeeded');
  expect(runsOf('same')).toBe(1);
});

test('the same script that was left running and fails is run again', async () => {
  const script = `${patient('fails')}[ "$(wc -l </srv/fails.runs)" -gt 1 ]\n`;
  const plan = planOf([[hook(script, ['node-1'])]]);
  await abandon(workOf({ plan }));
  const end = await operate(workOf({ plan }), {
    emit: (event) =>
      void (event.type === 'notice' && /waiting for its end/.test(event.message) && letGo('fails')),
  });
  expect(stateOf(end)).toBe('Succeeded');
  expect(runsOf('fails')).toBe(2);
});

test.for(['/var/lib/boathook', '/srv/state dir'])(
  'another script that was left running below %s is named, and no second one is started beside it',
  async (stateDir) => {
    const name = `foreign-${stateDir.length}`;
    const left = workOf({ plan: planOf([[hook(patient(name), ['node-1'])]]), stateDir });
    await abandon(left);
    const plan = planOf([[hook(`#!/bin/sh\ntouch /srv/beside-${name}\n`, ['other'], { id: 'else' })]], {
      cluster: 'cls-other',
    });
    const work = workOf({ plan, nodes: [other as ClusterNode] });
    const end = await operate(work);
    expect(end.type).toBe('locked');
    const message = end.type === 'locked' ? end.message : '';
    expect(message).toMatch(
      new RegExp(
        `^other still runs hook of operation ${left.id} of cluster cls-test, process \\d+ since \\d{4}-\\S+Z`,
      ),
    );
    expect(existsSync(host.path(`/srv/beside-${name}`))).toBe(false);
    // As the message says.
    host.run('sh', '-c', /kill -s TERM \d+/.exec(message)?.[0] ?? 'false');
    await expect.poll(() => operate(work).then(stateOf)).toBe('Succeeded');
  },
);
