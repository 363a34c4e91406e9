import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { millis } from '#base/time.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { makeSshKey } from '#edge/ssh/make-key.ts';
import { runOn, serveMachine, type ServedMachine } from '../support/simulated-machine.ts';
import { digestOf, operate } from '../support/sshd/operator.ts';
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

test('files are delivered once, and what runs is the delivered script', async () => {
  const source = join(served.folder, 'pre');
  const text = '#!/bin/sh\necho "delivered to $(hostname)" > /srv/seen\n';
  writeFileSync(source, text);
  const file = { src: source, dst: '/opt/hooks/pre', digest: digestOf(text), size: text.length, mode: 0o755 };
  const origin = { file: 'test', pointer: '' };
  const delivery = { ...file, origin };
  const plan = planOf([[filesStep([delivery], nodes)], [hook(text, nodes, { delivered: '/opt/hooks/pre' })]]);
  expect(await run(plan)).toMatchObject({ verdict: { state: 'Succeeded' } });
  expect(await runOn(served.machine, 'cat /srv/seen; cat /opt/hooks/pre')).toMatchObject({
    out: `delivered to machine-1\n${text}`,
  });
});

test('another operation is refused while one holds the machine, and continues when it is over', async () => {
  const first = planOf([
    [hook('#!/bin/sh\necho begun\nuntil [ -e /srv/go ]; do sleep 0.05; done\n', nodes)],
  ]);
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

test('a key that is not the right one is refused, and so is a machine whose key has changed', async () => {
  const wrong = join(served.folder, 'wrong');
  writeFileSync(wrong, makeSshKey('wrong').privateKey, { mode: 0o600 });
  const plan = planOf([[hook('#!/bin/sh\ntrue\n', nodes)]]);
  const login = {
    ...served.node.login,
    methods: [{ type: 'privateKey' as const, key: { type: 'file' as const, path: wrong } }],
  };
  const stranger = { id: 'op', plan, nodes: [{ ...served.node, login }], dataDir: served.dataDir() };
  expect(await operate(stranger)).toMatchObject({ type: 'unreachable' });
  const pinned = { ...served.node, hostKey: `SHA256:${'A'.repeat(43)}` };
  const dataDir = served.dataDir();
  expect(JSON.stringify(await operate({ id: 'op', plan, nodes: [pinned], dataDir }))).not.toContain(
    'Succeeded',
  );
});
