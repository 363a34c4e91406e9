import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunEnd } from '#machines/engine/run-plan.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { everyFile } from '../support/cluster-world.ts';
import { openHosts, type TestHost, type TestHosts } from '../support/sshd.ts';
import { digestOf, operate } from '../support/sshd/operator.ts';
import { filesStep, hook, nodesOfHosts, planOf } from '../support/sshd/plans.ts';

let hosts: TestHosts;
let host: TestHost;
let nodes: readonly ClusterNode[];
let operations = 0;
const password = 'sentinel-pässword';
const bashrcOf = (user: string): string => ['', user, '.bashrc'].join('/');

beforeAll(async () => {
  hosts = openHosts();
  host = await hosts.add({
    folders: ['/srv'],
    accounts: [
      { name: 'root', shell: '/bin/bash', password },
      { name: 'nobody-home', shell: '/usr/sbin/nologin' },
    ],
  });
  nodes = nodesOfHosts([host], hosts.key);
});
afterAll(() => hosts[Symbol.asyncDispose]());

type Ran = {
  readonly end: RunEnd;
  readonly events: readonly ProgressEvent[];
  readonly dataDir: string;
  readonly log: () => string;
};

async function run(plan: MachinePlan, given = nodes): Promise<Ran> {
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const events: ProgressEvent[] = [];
  const work = { id: `shell-${++operations}`, plan, nodes: given, dataDir, insecure: true };
  const end = await operate(work, { emit: (event) => events.push(event) });
  return { end, events, dataDir, log: () => readFileSync(join(dataDir, 'logs/node-1/hook.1.log'), 'utf8') };
}

const stateOf = ({ end }: Ran): string => (end.type === 'ended' ? end.verdict.state : end.type);

const failureOf = ({ end }: Ran): string => {
  const outcome = end.type === 'ended' ? end.verdict.failures[0]?.outcome : undefined;
  return outcome !== undefined && 'message' in outcome ? outcome.message : '';
};

test('a login shell that prints breaks neither the delivery nor the scripts', async () => {
  const noise =
    'echo Welcome to this machine\necho "O 5"\necho "L held 3 x y"\necho -n no end of line\necho oops >&2\n';
  writeFileSync(host.path(bashrcOf('root')), noise);
  try {
    const src = join(hosts.folder, 'settings');
    writeFileSync(src, 'a: 1\n');
    const file = { src, dst: '/srv/settings', digest: digestOf('a: 1\n'), size: 5, mode: 0o644 };
    const script = '#!/bin/sh\ncat /srv/settings\n';
    const ran = await run(planOf([[filesStep([file], ['node-1'])], [hook(script, ['node-1'])]]));
    expect(stateOf(ran)).toBe('Succeeded');
    expect(ran.log()).toBe('a: 1\n');
  } finally {
    writeFileSync(host.path(bashrcOf('root')), '');
  }
});

test.for<{ what: string; bashrc: string; says: RegExp }>([
  {
    what: 'ends by itself',
    bashrc: 'echo closed for today\nexit 1\n',
    says: /does not run what it is given \(it printed: closed for today\): look at .*\.bashrc/,
  },
  { what: 'prints without end', bashrc: 'yes\n', says: /does not run what it is given \(it printed: y\ny/ },
])('a login shell that $what is named as the cause', async ({ bashrc, says }) => {
  writeFileSync(host.path(bashrcOf('root')), bashrc);
  try {
    const { end } = await run(planOf([[hook('#!/bin/sh\n', ['node-1'])]]));
    expect(end.type).toBe('unreachable');
    expect(end.type === 'unreachable' && [...end.failures.values()].join(' ')).toMatch(says);
  } finally {
    writeFileSync(host.path(bashrcOf('root')), '');
  }
});

test.for<{ what: string; script: string; says: string }>([
  {
    what: 'line ends of Windows',
    script: '#!/bin/bash\r\necho hi\r\n',
    says: 'script.sh has the line ends of Windows (CRLF)',
  },
  {
    what: 'line ends of Windows behind env',
    script: '#!/usr/bin/env bash\r\necho hi\r\n',
    says: 'script.sh has the line ends of Windows (CRLF)',
  },
  {
    what: 'an interpreter that is not there',
    script: '#! /opt/python9 -u\nprint(1)\n',
    says: 'the interpreter /opt/python9 of script.sh is not on this machine',
  },
])('a script with $what is reported as what it is', async ({ script, says }) => {
  const ran = await run(planOf([[hook(script, ['node-1'])]]));
  expect(failureOf(ran)).toContain('ended with exit code 127');
  expect(failureOf(ran)).toContain(says);
  expect(ran.log()).toContain(says);
});

test('a script that fails by itself is not explained away', async () => {
  const ran = await run(planOf([[hook('#!/bin/sh\nexit 127\n', ['node-1'])]]));
  expect(ran.log()).toBe('');
});

test('the login password and secrets of a script are hidden in everything it prints', async () => {
  const [first] = nodes;
  const path = join(hosts.folder, 'password');
  const token = join(hosts.folder, 'token');
  writeFileSync(path, password);
  writeFileSync(token, 'tok-sentinel-1');
  const login = {
    user: 'root',
    sudo: true,
    methods: [{ type: 'password' as const, password: { type: 'file' as const, path } }],
  };
  const given = first === undefined ? [] : [{ ...first, login }];
  const script = `#!/bin/sh
printf 'out sentinel-p'
sleep 1.5
printf 'ässword %s\\n' "$TOKEN"
echo "err sentinel-pässword $TOKEN" >&2
exit 7
`;
  const secret = { type: 'secret', ref: { type: 'file', path: token } } as const;
  const ran = await run(planOf([[hook(script, ['node-1'], { env: { TOKEN: secret } })]]), given);
  expect(ran.log()).toBe('out *** ***\nerr *** ***\n');
  expect(failureOf(ran)).toContain('err *** ***');
  expect(JSON.stringify(ran.events)).not.toContain('sentinel');
  for (const [, text] of everyFile(ran.dataDir)) expect(text).not.toContain('sentinel');
});
