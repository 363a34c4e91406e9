import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunEnd } from '#machines/engine/run-plan.ts';
import type { ClusterNode, FileDelivery } from '#machines/decide/model.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { openHosts, type TestHost, type TestHosts } from '../support/sshd.ts';
import { digestOf, journalOf, operate } from '../support/sshd/operator.ts';
import { filesStep, hook, nodesOfHosts, planOf } from '../support/sshd/plans.ts';

let hosts: TestHosts;
let host: TestHost;
let nodes: readonly ClusterNode[];
let operations = 0;

beforeAll(async () => {
  hosts = openHosts();
  host = await hosts.add({ folders: ['/srv'], accounts: [{ name: 'root' }, { name: 'mallory' }] });
  nodes = nodesOfHosts([host], hosts.key);
  asMallory('true');
});
afterAll(() => hosts[Symbol.asyncDispose]());

/** A local user without rights; the first one of a host has this number. */
const mallory = '23000';
const asMallory = (script: string): string =>
  host.run('setpriv', '--reuid', mallory, '--regid', mallory, '--clear-groups', 'sh', '-c', script);

type Story = {
  readonly files: Readonly<Record<string, string>>;
  readonly dst: string;
  /** Between the delivery and the script. */
  readonly meanwhile?: () => void;
};

/** Delivers a folder and runs `hook` of it. */
async function deliverAndRun({ files, dst, meanwhile }: Story): Promise<{
  readonly state: string;
  readonly log: string;
  readonly message: string;
}> {
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const deliveries = Object.entries(files).map(([name, content]): FileDelivery => {
    const src = join(dataDir, 'src', name);
    mkdirSync(join(src, '..'), { recursive: true });
    writeFileSync(src, content);
    const mode = name === 'hook' ? 0o700 : 0o644;
    return { src, dst: `${dst}/${name}`, digest: digestOf(content), size: content.length, mode };
  });
  const delivered = { delivered: `${dst}/hook`, folder: { root: dst, files: deliveries } };
  const plan: MachinePlan = planOf([
    [filesStep(deliveries, ['node-1'])],
    [hook(files['hook'] ?? '', ['node-1'], delivered)],
  ]);
  const work = { id: `op-${++operations}`, plan, nodes, dataDir, insecure: true };
  const end: RunEnd = await operate(work, {
    emit(event) {
      if (event.type === 'task' && event.step === 'files' && event.state === 'Succeeded') meanwhile?.();
    },
  });
  const state = end.type === 'ended' ? end.verdict.state : end.type;
  const outcomes = journalOf(work).flatMap((record) => (record.type === 'result' ? [record.outcome] : []));
  const last = outcomes.at(-1);
  const message = last !== undefined && 'message' in last ? last.message : '';
  return { state, message, log: readLog(join(dataDir, 'logs/node-1/hook.1.log')) };
}

function readLog(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const lib = 'greeting=hello\n';
const script = `#!/bin/sh
cd /
. "$(dirname "$0")/lib.sh"
echo "$greeting from $0"
cat "$(dirname "$0")/sub/words"
stat -c '%a %u' "$(dirname "$0")"
`;
const story = { hook: script, 'lib.sh': lib, 'sub/words': 'deep\n' };

test('what runs is a copy of the whole delivered folder that only root can reach', async () => {
  const dst = '/srv/plain hooks';
  const { state, log } = await deliverAndRun({ files: story, dst });
  expect(log).toMatch(/^hello from \/var\/lib\/boathook\/.*\/delivered\/plain hooks\/hook\ndeep\n700 0\n$/);
  expect(state).toBe('Succeeded');
  // The files are where the manifest has them, and stay there.
  expect(host.run('cat', `${dst}/hook`)).toBe(script);
  expect(host.run('stat', '-c', '%a %u', `${dst}/hook`).trim()).toBe('700 0');
});

const evil = '#!/bin/sh\nid -u >/srv/owned\n';

test.for<{ what: string; swap: string }>([
  { what: 'the script', swap: `rm -f hook; printf '${evil.replaceAll('\n', '\\n')}' >hook; chmod 755 hook` },
  { what: 'a file beside it', swap: 'rm -f lib.sh; echo "id -u >/srv/owned" >lib.sh' },
  {
    what: 'the whole folder',
    swap: 'cd ..; mv hooks gone; mkdir -p hooks/sub; cp gone/sub/words hooks/sub/; echo "id -u >/srv/owned" >hooks/lib.sh; cp hooks/lib.sh hooks/hook',
  },
  {
    what: 'the script by a link',
    swap: 'echo "id -u >/srv/owned" >mine; chmod 755 mine; ln -sf "$PWD/mine" hook',
  },
  {
    what: 'the script by a pipe that nobody fills',
    swap: 'rm -f hook; mkfifo hook; (exec 3<>hook; sleep 20) >/dev/null 2>&1 </dev/null &',
  },
  { what: 'the script by an endless file', swap: 'ln -sf /dev/zero hook' },
])(
  'another user swaps $what between delivery and execution: nothing of theirs runs as root',
  async ({ swap }) => {
    host.run('sh', '-c', `rm -rf /srv/mallory /srv/owned; mkdir /srv/mallory; chown ${mallory} /srv/mallory`);
    asMallory('mkdir -p /srv/mallory/hooks/sub');
    const { state, message } = await deliverAndRun({
      files: story,
      dst: '/srv/mallory/hooks',
      meanwhile: () => void asMallory(`cd /srv/mallory/hooks && ${swap}`),
    });
    expect(state).toBe('Failed');
    expect(message).toMatch(/was not started: \/srv\/mallory\/hooks\/\S+ is no longer what was delivered/);
    expect(host.test('[ -e /srv/owned ]')).toBe(false);
  },
);

test('a link that another user put where a folder is expected is not followed', async () => {
  host.run(
    'sh',
    '-c',
    `rm -rf /srv/mallory; mkdir -p /srv/mallory /srv/roots; chown ${mallory} /srv/mallory`,
  );
  asMallory('ln -s /srv/roots /srv/mallory/hooks');
  const { state, message } = await deliverAndRun({ files: story, dst: '/srv/mallory/hooks' });
  expect(state).toBe('Failed');
  expect(message).toContain('/srv/mallory/hooks is a symbolic link of another user');
  expect(host.run('ls', '-A', '/srv/roots')).toBe('');
});

test('a link of root leads where it leads', async () => {
  host.run('sh', '-c', 'rm -rf /srv/real /srv/link; mkdir /srv/real; ln -s /srv/real /srv/link');
  expect((await deliverAndRun({ files: story, dst: '/srv/link/hooks' })).state).toBe('Succeeded');
  expect(host.run('cat', '/srv/real/hooks/lib.sh')).toBe(lib);
});
