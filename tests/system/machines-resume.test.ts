import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seconds } from '#base/time.ts';
import type { RunEnd } from '#machines/engine/run-plan.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { ownNetwork } from '../support/own-network.ts';
import { openHosts, type TestHost, type TestHosts } from '../support/sshd.ts';
import { openCuttableNetwork } from '../support/sshd/cut-network.ts';
import { journalOf, operate, type OperatorWork } from '../support/sshd/operator.ts';
import { startOperator } from '../support/sshd/operator-process.ts';
import { hook, nodeAt, nodesOfHosts, planOf } from '../support/sshd/plans.ts';

let hosts: TestHosts;
let list: readonly TestHost[];
let nodes: readonly ClusterNode[];

beforeAll(async () => {
  hosts = openHosts();
  list = [await hosts.add({ folders: ['/srv'] }), await hosts.add({ folders: ['/srv'] })];
  nodes = nodesOfHosts(list, hosts.key);
});
afterAll(() => hosts[Symbol.asyncDispose]());

const first = (): TestHost => list[0] as TestHost;
let operations = 0;

function workOf(plan: MachinePlan, changes: Partial<OperatorWork> = {}): OperatorWork {
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  return { id: `op-${++operations}`, plan, nodes, dataDir, graceMillis: 1000, insecure: true, ...changes };
}

const stateOf = (end: RunEnd): string => (end.type === 'ended' ? end.verdict.state : end.type);
const outcomesOf = (work: OperatorWork): readonly unknown[] =>
  journalOf(work).flatMap((record) => (record.type === 'result' ? [record.outcome] : []));
/** Prints that it began, waits for a file, prints that it ended. */
const patient = (name: string): string =>
  `#!/bin/sh\necho run >>/srv/${name}.runs\necho begun\nwhile [ ! -e /srv/${name}.go ]; do sleep 0.05; done\necho ended\n`;
const letGo = (host: TestHost, name: string): void => writeFileSync(host.path(`/srv/${name}.go`), '');
const runs = (host: TestHost, name: string): string => readFileSync(host.path(`/srv/${name}.runs`), 'utf8');

test('an operator is killed while a hook runs; the hook continues, and a resume finds its end', async () => {
  const plan = planOf([
    [hook(patient('f9'), ['node-1', 'node-2'])],
    [hook('#!/bin/sh\necho after >>/srv/f9.runs\n', ['node-1'], { id: 'after' })],
  ]);
  const work = workOf(plan);
  const operator = startOperator(work);
  await operator.lineLike(/"line":"begun".*/);
  await operator.lineLike(/"line":"begun".*/);
  await operator.stop('SIGKILL');
  // Seen running on the host by its pid, which is its group's too.
  const pid = first().run('sh', '-c', 'cut -d" " -f1 /var/lib/boathook/cls-test/node-1/*/hook.1/pid').trim();
  expect(first().run('ps', '-o', 'pgid=,args=', '-p', pid).trim()).toMatch(
    new RegExp(`^${pid} .*script\\.sh$`),
  );
  // One ends while it is not followed, the other while it is followed again.
  letGo(first(), 'f9');
  await expect.poll(() => first().test('ls /var/lib/boathook/cls-test/node-1/*/hook.1/exit')).toBe(true);
  const end = await operate(work, {
    emit: (event) => {
      if (event.type === 'output' && event.node === 'node-2') letGo(list[1] as TestHost, 'f9');
    },
  });
  expect(stateOf(end)).toBe('Succeeded');
  expect([runs(first(), 'f9'), runs(list[1] as TestHost, 'f9')]).toEqual(['run\nafter\n', 'run\n']);
  expect(outcomesOf(work)).toEqual([
    { type: 'succeeded', adopted: true },
    { type: 'succeeded', adopted: true },
    { type: 'succeeded' },
  ]);
  expect(readFileSync(join(work.dataDir, 'logs/node-1/hook.1.log'), 'utf8')).toBe('begun\nended\n');
});

test('the deadline is the one it was started with', async () => {
  const work = workOf(planOf([[hook(patient('deadline'), ['node-1'], { timeout: seconds(2) })]]));
  const operator = startOperator(work);
  await operator.lineLike(/begun/);
  await operator.stop('SIGKILL');
  // Nobody is there when the time is up.
  await expect.poll(() => first().test('ls /var/lib/boathook/cls-test/node-1/*/hook.1/exit')).toBe(true);
  expect(first().test('pgrep -f scrip[t].sh')).toBe(false);
  expect(stateOf(await operate(work))).toBe('Failed');
  expect(outcomesOf(work)).toMatchObject([{ type: 'timedOut', limit: 2000 }]);
});

test.for(['rerun', 'fail'] as const)('a host reboots while a hook runs: %s', async (onUnknown) => {
  const name = `f10-${onUnknown}`;
  const work = workOf(planOf([[hook(patient(name), ['node-2'], { policy: { onUnknown } })]]));
  const host = list[1] as TestHost;
  const operator = startOperator(work);
  await operator.lineLike(/begun/);
  await operator.stop('SIGKILL');
  await host.reboot();
  letGo(host, name);
  const end = await operate(work);
  expect(outcomesOf(work)[0]).toMatchObject({
    type: 'unknown',
    message: expect.stringContaining('was running when the node rebooted') as string,
  });
  expect(stateOf(end)).toBe(onUnknown === 'rerun' ? 'Succeeded' : 'Failed');
  expect(runs(host, name)).toBe(onUnknown === 'rerun' ? 'run\nrun\n' : 'run\n');
});

test('Ctrl-C ends the script on the host, and the operation with it', async () => {
  const once = workOf(planOf([[hook(patient('once'), ['node-1'])]]));
  const operator = startOperator(once);
  await operator.lineLike(/begun/);
  const ended = operator.stop('SIGINT');
  await operator.lineLike(/"end":\{"type":"ended","state":"Cancelled"\}/);
  await ended;
  expect(first().test('pgrep -f scrip[t].sh')).toBe(false);
  expect(journalOf(once).at(-1)).toMatchObject({ type: 'closed', state: 'Cancelled' });
});

test('a second operator gets the name of the first; nothing of it runs', async () => {
  const work = workOf(planOf([[hook(patient('f12'), ['node-1'])]]));
  const operator = startOperator(work);
  await operator.lineLike(/begun/);
  const second = await operate(
    workOf(planOf([[hook('#!/bin/sh\ntouch /srv/f12.second\n', ['node-2', 'node-1'])]])),
  );
  expect(second).toEqual({
    type: 'locked',
    message: expect.stringMatching(
      new RegExp(
        `^node-1 is in use by process ${operator.pid} on \\S+ since \\d{4}-\\S+Z \\(cluster.create, operation \\S+ of cluster cls-test\\), .*seen \\d+ s ago`,
      ),
    ) as string,
  });
  expect(list.some((host) => existsSync(host.path('/srv/f12.second')))).toBe(false);
  letGo(first(), 'f12');
  await operator.lineLike(/"state":"Succeeded"\},/);
  await operator.ended;
});

test('a lease that is not renewed is taken over with a notice, and the former holder stops', async () => {
  const times = { leaseTouchMillis: 60_000, leaseStaleMillis: 2000 };
  const work = workOf(
    planOf([
      [hook(patient('stale'), ['node-1'])],
      [hook('#!/bin/sh\ntouch /srv/late\n', ['node-1'], { id: 'late' })],
    ]),
    times,
  );
  // Short, so that it touches its lease first of all when it runs again.
  const operator = startOperator({ ...work, leaseTouchMillis: 500 });
  await operator.lineLike(/begun/);
  // It hangs, and does not hear of the end of its script.
  process.kill(operator.pid, 'SIGSTOP');
  letGo(first(), 'stale');
  await expect.poll(() => first().test('ls /var/lib/boathook/cls-test/node-1/*/hook.1/exit')).toBe(true);
  await expect
    .poll(() =>
      first().test('[ $(($(date +%s) - $(stat -c %Y /var/lib/boathook/cls-test/node-1/lease))) -ge 2 ]'),
    )
    .toBe(true);
  const events: ProgressEvent[] = [];
  const taker = await operate(workOf(planOf([[hook('#!/bin/sh\nsleep 2\n', ['node-1'])]]), times), {
    emit: (event) => events.push(event),
  });
  expect(stateOf(taker)).toBe('Succeeded');
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'notice',
      message: expect.stringContaining(` ${operator.pid} `) as string,
    }),
  );
  process.kill(operator.pid, 'SIGCONT');
  await operator.lineLike(/"end":\{"type":"taken-over"\}/);
  await operator.ended;
  expect(existsSync(first().path('/srv/late'))).toBe(false);
});

test('a runner that comes with an older counter refuses', async () => {
  const work = workOf(planOf([[hook('#!/bin/sh\ntouch /srv/refused\n', ['node-1'])]]));
  // As if another operator had the node between the lease and the start.
  const end = await operate(work, {
    emit: (event) => {
      if (event.type === 'task' && event.state === 'Launched')
        writeFileSync(first().path('/var/lib/boathook/cls-test/node-1/counter'), '1000\n');
    },
  });
  expect(stateOf(end)).toBe('Failed');
  expect(outcomesOf(work)).toMatchObject([
    { type: 'failed', message: expect.stringContaining('another operator has taken it over') as string },
  ]);
  expect(existsSync(first().path('/srv/refused'))).toBe(false);
});

test('a lost connection is restored while the hook continues', async () => {
  const work = workOf(planOf([[hook(patient('broken'), ['node-1'])]]));
  let isBroken = false;
  const end = await operate(work, {
    emit: (event) => {
      if (event.type !== 'output' || event.line !== 'begun') return;
      if (isBroken) letGo(first(), 'broken');
      else first().run('sh', '-c', 'kill $(pgrep -f "sshd: root@nott[y]")');
      isBroken = true;
    },
  });
  expect(stateOf(end)).toBe('Succeeded');
  expect(runs(first(), 'broken')).toBe('run\n');
});

test('hosts that share a file system do not meet', async () => {
  const network = await ownNetwork();
  const shared = await hosts.add({
    addresses: [1, 2, 3].map((at) => `127.${network}.17.${at}`),
    folders: ['/srv'],
  });
  const three = nodesOfHosts([shared], hosts.key);
  const names = three.map(({ name }) => name);
  const script =
    '#!/bin/sh\npwd >>/srv/places\nwhile [ "$(wc -l </srv/places)" -lt 3 ]; do sleep 0.05; done\n';
  const end = await operate(workOf(planOf([[hook(script, names)]]), { nodes: three }));
  expect(stateOf(end)).toBe('Succeeded');
  const places = readFileSync(shared.path('/srv/places'), 'utf8').trim().split('\n');
  expect(new Set(places).size).toBe(3);
});

test('a network is cut while a hook runs, and comes back: the hook ran once', async () => {
  using network = await openCuttableNetwork();
  const host = await hosts.add({ addresses: [network.address], netns: network.netns, folders: ['/srv'] });
  const far = nodeAt('far', { address: network.address, port: host.port, key: hosts.key });
  const work = workOf(planOf([[hook(patient('cut'), ['far'])]]), {
    nodes: [far],
    patienceMillis: 1000,
    connectMillis: 1000,
  });
  const operator = startOperator(work);
  await operator.lineLike(/begun/);
  network.cut();
  await operator.stop('SIGKILL');
  const refused = await operate(work);
  expect(refused).toMatchObject({ type: 'unreachable' });
  network.mend();
  // The server has not heard of the operator's end: its lease is found untouched and taken over.
  letGo(host, 'cut');
  const end = await operate({ ...work, leaseStaleMillis: 1000 });
  expect(stateOf(end)).toBe('Succeeded');
  expect(runs(host, 'cut')).toBe('run\n');
  expect(outcomesOf(work)).toEqual([{ type: 'succeeded', adopted: true }]);
  await host.stop();
});

test('never more nodes at a time than allowed, and each once', async () => {
  const network = await ownNetwork();
  const many = await Promise.all(
    [1, 2, 3].map((server) =>
      hosts.add({
        addresses: Array.from({ length: 16 }, (_, at) => `127.${network}.${20 + server}.${at + 1}`),
        config: ['MaxStartups 100:30:200'],
      }),
    ),
  );
  const crowd = nodesOfHosts(many, hosts.key);
  const names = crowd.map(({ name }) => name);
  mkdirSync(join(hosts.folder, 'crowd'));
  const events: ProgressEvent[] = [];
  const plan = planOf(
    [
      [hook('#!/bin/sh\necho once\n', names.slice(0, 1), { id: 'once' })],
      [hook('#!/bin/sh\necho each\n', names)],
    ],
    {
      parallel: 20,
    },
  );
  const end = await operate(workOf(plan, { nodes: crowd }), { emit: (event) => events.push(event) });
  expect(stateOf(end)).toBe('Succeeded');
  let busy = 0;
  let most = 0;
  for (const event of events) {
    if (event.type !== 'task' || event.step !== 'hook') continue;
    if (event.state === 'Staging') busy += 1;
    if (event.outcome !== undefined) busy -= 1;
    most = Math.max(most, busy);
  }
  expect(most).toBe(20);
  const lines = (line: string): number =>
    events.filter((event) => event.type === 'output' && event.line === line).length;
  expect([lines('once'), lines('each')]).toEqual([1, crowd.length]);
});
