import { readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { millis } from '#base/time.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import type { MachinePlan, PlanStep } from '#machines/decide/plan.ts';
import { makeSshKey } from '#edge/ssh/make-key.ts';
import { runOn, serveMachine, type ServedMachine } from '../support/simulated-machine.ts';
import { digestOf, operate, type OperatorWork } from '../support/sshd/operator.ts';
import { startOperator } from '../support/sshd/operator-process.ts';
import { filesStep, hook, planOf } from '../support/sshd/plans.ts';

let served: ServedMachine;
beforeEach(async () => {
  served = await serveMachine();
});
afterEach(() => served[Symbol.dispose]());

const nodes = ['node-1'];

type RunChanges = {
  readonly dataDir?: string;
  readonly id?: string;
  readonly signal?: AbortSignal;
  readonly emit?: (event: ProgressEvent) => void;
};

const run = (plan: MachinePlan, { dataDir = served.dataDir(), id = 'op', ...watching }: RunChanges = {}) =>
  operate({ id, plan, nodes: [served.node], dataDir }, watching);

test('a script prints, takes its time, gets its arguments and variables, and ends', async () => {
  const lines: string[] = [];
  const script = '#!/bin/sh\necho "$0 $1 on $WHERE"\nsleep 0.2\necho warning >&2\n';
  const plan = planOf([[hook(script, nodes, { argv: ['two words'], env: { WHERE: 'here' } })]]);
  const end = await run(plan, {
    emit: (event) => event.type === 'output' && lines.push(`${event.stream}: ${event.line}`),
  });
  expect(end).toMatchObject({ type: 'ended', verdict: { state: 'Succeeded' } });
  expect(lines).toEqual(['stdout: ./script.sh two words on here', 'stderr: warning']);
});

test('an exit code other than 0 is a failure with the last lines', async () => {
  const plan = planOf([[hook('#!/bin/sh\necho no disk >&2\nexit 7\n', nodes)]]);
  expect(await run(plan)).toMatchObject({
    verdict: {
      state: 'Failed',
      failures: [{ outcome: { type: 'failed', message: expect.stringContaining('no disk') } }],
    },
  });
});

test('a script that takes too long is ended', async () => {
  const plan = planOf([[hook('#!/bin/sh\nsleep 60\n', nodes, { timeout: millis(300) })]]);
  expect(await run(plan)).toMatchObject({
    verdict: { state: 'Failed', failures: [{ outcome: { type: 'timedOut' } }] },
  });
});

test('an interruption ends the script on the machine', async () => {
  const stop = new AbortController();
  const plan = planOf([[hook('#!/bin/sh\necho begun\nsleep 60\n', nodes)]]);
  const emit = (event: ProgressEvent): void => {
    if (event.type === 'output') stop.abort(new Error('interrupted'));
  };
  expect(await run(plan, { signal: stop.signal, emit })).toMatchObject({ verdict: { state: 'Cancelled' } });
});

/** A script that is delivered as a file, and the hook that runs it from its folder. */
function deliveredHook(text: string): { readonly files: PlanStep; readonly run: PlanStep } {
  const source = join(served.folder, 'pre');
  writeFileSync(source, text);
  const file = { src: source, dst: '/opt/hooks/pre', digest: digestOf(text), size: text.length, mode: 0o755 };
  const folder = { root: '/opt/hooks', files: [file] };
  return {
    files: filesStep([file], nodes),
    run: hook(text, nodes, { delivered: '/opt/hooks/pre', folder }),
  };
}

test('files are delivered, and what runs is a copy of the delivered script', async () => {
  const text = '#!/bin/sh\necho "$0" > /srv/seen\n';
  const { files, run: step } = deliveredHook(text);
  expect(await run(planOf([[files], [step]]))).toMatchObject({ verdict: { state: 'Succeeded' } });
  const { out } = await runOn(served.machine, 'cat /srv/seen /opt/hooks/pre');
  expect(out).toMatch(/^\/var\/lib\/boathook\/cls-test\/node-1\/op\/hook\.1\/delivered\/hooks\/pre\n/);
  expect(out).toContain(text);
});

test('a delivered script that somebody has changed is not run', async () => {
  const { files, run: step } = deliveredHook('#!/bin/sh\necho run > /srv/seen\n');
  const change = hook('#!/bin/sh\necho other >> /opt/hooks/pre\n', nodes, { id: 'change' });
  expect(await run(planOf([[files], [change], [step]]))).toMatchObject({
    verdict: {
      state: 'Failed',
      failures: [{ outcome: { message: expect.stringContaining('/opt/hooks/pre') } }],
    },
  });
  expect(await runOn(served.machine, 'cat /srv/seen')).toMatchObject({ code: 1 });
});

const patient =
  '#!/bin/sh\necho run >> /srv/runs\necho begun\nuntil [ -e /srv/go ]; do sleep 0.05; done\necho ended\n';

async function killedOperator(work: OperatorWork): Promise<void> {
  const operator = startOperator(work);
  await operator.lineLike(/"line":"begun"/);
  await operator.stop('SIGKILL');
}

test('an operator is killed while a script runs; the script continues, and a resume finds its end', async () => {
  const work = {
    id: 'op',
    plan: planOf([[hook(patient, nodes)]]),
    nodes: [served.node],
    dataDir: served.dataDir(),
  };
  await killedOperator(work);
  const emit = (event: ProgressEvent): void => {
    if (event.type === 'output' && event.line === 'begun') void runOn(served.machine, 'touch /srv/go');
  };
  expect(await operate(work, { emit })).toMatchObject({ verdict: { state: 'Succeeded' } });
  expect(await runOn(served.machine, 'cat /srv/runs')).toMatchObject({ out: 'run\n' });
  expect(readFileSync(join(work.dataDir, 'logs/node-1/hook.1.log'), 'utf8')).toBe('begun\nended\n');
});

test('a script that an abandoned operation left running is waited for and adopted by the next one', async () => {
  const plan = planOf([[hook(patient, nodes)]]);
  const first = { id: 'first', plan, nodes: [served.node], dataDir: served.dataDir() };
  await killedOperator(first);
  const notices: string[] = [];
  const emit = (event: ProgressEvent): void => {
    if (event.type !== 'notice') return;
    notices.push(event.message);
    void runOn(served.machine, 'touch /srv/go');
  };
  expect(await run(plan, { id: 'second', emit })).toMatchObject({ verdict: { state: 'Succeeded' } });
  expect(notices.join('\n')).toMatch(/left by operation first: waiting for its end[^]*is not run again/);
  expect(await operate(first, {})).toMatchObject({ verdict: { state: 'Succeeded' } });
  expect(await runOn(served.machine, 'cat /srv/runs')).toMatchObject({ out: 'run\n' });
});

test('another operation is refused while one holds the machine, and continues when it is over', async () => {
  const first = planOf([[hook('#!/bin/sh\necho begun\nuntil [ -e /srv/go ]; do sleep 0.05; done\n', nodes)]]);
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const running = run(first, { id: 'first', emit: (event) => event.type === 'output' && resolve() });
  await begun;
  const second = planOf([[hook('#!/bin/sh\ntrue\n', nodes)]], { cluster: 'cls-other' });
  expect(await run(second, { id: 'second' })).toMatchObject({
    type: 'locked',
    message: expect.stringContaining('cls-test'),
  });
  await runOn(served.machine, 'touch /srv/go');
  expect(await running).toMatchObject({ verdict: { state: 'Succeeded' } });
  expect(await run(second, { id: 'third' })).toMatchObject({ verdict: { state: 'Succeeded' } });
});

test('more output than is kept: its beginning and its end arrive', async () => {
  const script =
    '#!/bin/sh\necho first\nfor i in $(seq 2000); do echo "line $i of a long output of this script"; done\necho last\n';
  const plan = planOf([[hook(script, nodes, { policy: { outputLimit: 4096 } })]]);
  const lines: string[] = [];
  await run(plan, { emit: (event) => event.type === 'output' && lines.push(event.line) });
  expect(lines[0]).toBe('first');
  expect(lines).toContain('[boathook: more than 4096 bytes were printed; what follows is the last of it]');
  expect(lines.at(-1)).toBe('last');
});

test.for([
  'GET / HTTP/1.1\r\n\r\n',
  `SSH-2.0-${'x'.repeat(300)}\r\n`,
  'SSH-2.0-x\r\n\u0000\u0000\u00ff\u00ff',
])('what does not speak SSH hurts nobody: %j', async (bytes) => {
  const { address, port } = served.node;
  const socket = connect(port, address).resume();
  socket.on('error', () => undefined);
  socket.end(bytes, 'latin1');
  await once(socket, 'close');
  const plan = planOf([[hook('#!/bin/sh\ntrue\n', nodes)]]);
  expect(await run(plan)).toMatchObject({ verdict: { state: 'Succeeded' } });
});

test('a key that is not the right one is refused, and so is a machine whose key has changed', async () => {
  const wrong = join(served.folder, 'wrong');
  writeFileSync(wrong, makeSshKey('wrong').privateKey, { mode: 0o600 });
  const plan = planOf([[hook('#!/bin/sh\ntrue\n', nodes)]]);
  const login = {
    ...served.node.login,
    methods: [{ type: 'privateKey' as const, key: { type: 'file' as const, path: wrong } }],
  };
  const dataDir = served.dataDir();
  const failureOf = async (node: ClusterNode): Promise<string | undefined> => {
    const end = await operate({ id: 'op', plan, nodes: [node], dataDir });
    return end.type === 'unreachable' ? end.failures.get('node-1') : end.type;
  };
  expect(await failureOf({ ...served.node, login })).toMatch(/^Login refused for root@127/);
  const pinned = { ...served.node, hostKey: `SHA256:${'A'.repeat(43)}` };
  expect(await failureOf(pinned)).toMatch(/^The host key of root@127.* is refused: it shows the key SHA256:/);
});
