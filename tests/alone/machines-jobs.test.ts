import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { millis, seconds } from '#base/time.ts';
import type { RunEnd } from '#machines/engine/run-plan.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { ClusterNode } from '#machines/decide/model.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import { openHosts, type TestHost, type TestHosts } from '../support/sshd.ts';
import { digestOf, journalOf, operate, type OperatorWork, type Watching } from '../support/sshd/operator.ts';
import { filesStep, hook, nodesOfHosts, planOf } from '../support/sshd/plans.ts';

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

type Ran = {
  readonly end: RunEnd;
  readonly events: readonly ProgressEvent[];
  readonly work: OperatorWork;
  readonly outcomes: readonly TaskOutcome[];
};

async function run(plan: MachinePlan, changes: Partial<OperatorWork> & Watching = {}): Promise<Ran> {
  const { signal, replan, ...more } = changes;
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const work = { id: `op-${++operations}`, plan, nodes, dataDir, graceMillis: 1000, insecure: true, ...more };
  const events: ProgressEvent[] = [];
  const end = await operate(work, {
    emit: (event) => events.push(event),
    ...(signal !== undefined && { signal }),
    ...(replan !== undefined && { replan }),
  });
  const outcomes = journalOf(work).flatMap((record) => (record.type === 'result' ? [record.outcome] : []));
  return { end, events, work, outcomes };
}

const stateOf = (end: RunEnd): string => (end.type === 'ended' ? end.verdict.state : end.type);
const logOf = ({ work }: Ran, node = 'node-1', name = 'hook.1'): string =>
  readFileSync(join(work.dataDir, 'logs', node, `${name}.log`), 'utf8');

test('a hook runs as root in a private folder, with its arguments and variables as they are', async () => {
  const argv = ['two words; reboot', "it's", '', '$HOME `id` \\ "x"', 'node.alpha.kubernetes.io/test=hello'];
  const script = `#!/bin/sh
echo "$(id -u) $#"
for word; do echo "[$word]"; done
echo "[$NAME]"
stat -c '%a' . ..
echo "$0"
`;
  const ran = await run(planOf([[hook(script, ['node-1'], { argv, env: { NAME: 'a\nb $c' } })]]));
  expect(stateOf(ran.end)).toBe('Succeeded');
  const words = argv.map((word) => `[${word}]\n`).join('');
  expect(logOf(ran)).toBe(`0 5\n${words}[a\nb $c]\n700\n700\n./script.sh\n`);
  expect(statSync(join(ran.work.dataDir, 'logs/node-1/hook.1.log')).mode & 0o777).toBe(0o600);
  // Nothing is left on the node but the counter.
  expect(first().run('find', '/var/lib/boathook', '-type', 'f').trim()).toBe(
    '/var/lib/boathook/cls-test/node-1/counter',
  );
});

test('the node reports its facts, and a script gets its operation and attempt', async () => {
  const script = '#!/bin/sh\necho "$ARCH $BOATHOOK_RUN_ID $BOATHOOK_ATTEMPT"\n';
  const ran = await run(
    planOf([[hook(script, ['node-1'], { env: { ARCH: { type: 'node', fact: 'arch' } } })]]),
  );
  const arch = { x64: 'amd64' }[process.arch as string] ?? process.arch;
  expect(logOf(ran)).toBe(`${arch} ${ran.work.id} 1\n`);
});

test('standard input is empty and closed, and there is no terminal', async () => {
  const ran = await run(planOf([[hook('#!/bin/sh\ncat; tty; read x; echo "read $?"\n', ['node-1'])]]));
  expect(logOf(ran)).toBe('not a tty\nread 1\n');
});

test('output is reported while the script runs', async () => {
  const script = '#!/bin/sh\necho begun >&2\nwhile [ ! -e /srv/go ]; do sleep 0.05; done\necho ended\n';
  const lines: string[] = [];
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const plan = planOf([[hook(script, ['node-1'])]]);
  const end = await operate(
    { id: 'op-live', plan, nodes, dataDir, insecure: true },
    {
      emit(event) {
        if (event.type !== 'output') return;
        lines.push(`${event.stream} ${event.line}`);
        // The script waits for this: output held back until its end would never come.
        if (event.line === 'begun') writeFileSync(first().path('/srv/go'), '');
      },
    },
  );
  expect(stateOf(end)).toBe('Succeeded');
  expect(lines).toEqual(['stderr begun', 'stdout ended']);
});

test('a bell that rings for a follower of before does not silence the present one', async () => {
  const script = '#!/bin/sh\necho begun\nwhile [ ! -e /srv/heard ]; do sleep 0.05; done\necho ended\n';
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const plan = planOf([[hook(script, ['node-1'])]]);
  const ring = 'for bell in $(find /var/lib/boathook -name bell); do echo gone 1<>"$bell"; done';
  const end = await operate(
    { id: 'op-bell', plan, nodes, dataDir, insecure: true },
    {
      emit(event) {
        if (event.type !== 'output' || event.line !== 'begun') return;
        first().run('sh', '-c', ring);
        writeFileSync(first().path('/srv/heard'), '');
      },
    },
  );
  expect(stateOf(end)).toBe('Succeeded');
});

test('a failure has node, exit code, last lines and log; the next script does not start', async () => {
  const script = '#!/bin/sh\nseq 1 50 >&2\necho "no such disk" >&2\nexit 7\n';
  const never = hook('#!/bin/sh\ntouch /srv/never\n', ['node-1'], { id: 'second' });
  const ran = await run(planOf([[hook(script, ['node-1'])], [never]]));
  expect(stateOf(ran.end)).toBe('Failed');
  const [outcome] = ran.outcomes;
  expect(outcome).toMatchObject({ type: 'failed', exit: 7 });
  const message = outcome !== undefined && 'message' in outcome ? outcome.message : '';
  expect(message).toMatch(
    /^node-1: hook ended with exit code 7\n.*\n50\nno such disk\nFull log: \/.*hook\.1\.log$/s,
  );
  expect(message.length).toBeLessThanOrEqual(1024);
  expect(existsSync(first().path('/srv/never'))).toBe(false);
});

test('a script that fails is retried with growing pauses; once fixed, the operation continues at this node', async () => {
  const source = join(hosts.folder, 'mended.sh');
  const write = (text: string): MachinePlan => {
    writeFileSync(source, text, { mode: 0o755 });
    const size = text.length;
    const file = { src: source, dst: '/srv/hooks/pre install', digest: digestOf(text), size, mode: 0o644 };
    const step = hook(text, ['node-1', 'node-2'], {
      delivered: '/srv/hooks/pre install',
      policy: { onFailure: 'retry' },
    });
    return planOf([[filesStep([file], ['node-1', 'node-2'])], [step]]);
  };
  const count = 'echo run >>/srv/runs\n';
  const plan = write(`#!/bin/sh\n${count}[ "$(hostname)" != host-1 ]\n`);
  let tries = 0;
  const ran = await run(plan, {
    replan: () => Promise.resolve(++tries < 2 ? plan : write(`#!/bin/sh\n${count}echo mended\n`)),
  });
  expect(stateOf(ran.end)).toBe('Succeeded');
  expect(first().run('cat', '/srv/runs')).toBe('run\nrun\nrun\n');
  expect(list[1]?.run('cat', '/srv/runs')).toBe('run\n');
  expect(logOf(ran, 'node-1', 'hook.3')).toBe('mended\n');
  const blocked = ran.events.filter((event) => event.type === 'operation' && event.state === 'Blocked');
  expect(blocked.length).toBe(2);
  const [one, two] = blocked.map((event) =>
    'wakeAt' in event ? Number(event.wakeAt) - Number(event.at) : 0,
  );
  expect(Number(two)).toBeGreaterThan(Number(one));
});

test('at its limit a script is ended with all its children, also those that left the group', async () => {
  const script = `#!/bin/sh
trap '' TERM
echo $$ >/srv/group
sleep 1000 &
setsid sleep 1001 &
( setsid sh -c 'sleep 1002 & echo $! >/srv/escaped; wait' & ) &
env -i sh -c 'cd /; exec setsid sleep 1004' &
wait
sleep 1003
`;
  const step = hook(script, ['node-1'], { timeout: seconds(1) });
  const ran = await run(planOf([[step], [hook('#!/bin/sh\ntouch /srv/next\n', ['node-1'], { id: 'next' })]]));
  expect(stateOf(ran.end)).toBe('Failed');
  const [outcome] = ran.outcomes;
  expect(outcome).toMatchObject({ type: 'timedOut', limit: 1000 });
  const escaped = outcome?.type === 'timedOut' ? outcome.escaped : [];
  expect(escaped).toContain(Number(first().run('cat', '/srv/escaped')));
  expect(outcome).toMatchObject({
    message: expect.stringMatching(/took longer than 1 s.*left its group were killed: \d+/) as string,
  });
  expect(first().test('pgrep -f "sleep 100[0-9]"')).toBe(false);
  expect(existsSync(first().path('/srv/next'))).toBe(false);
});

test('endless output and a line of a gigabyte leave the operator and the disk as they were', async () => {
  const script = `#!/bin/sh
head -c 1000000000 /dev/zero | tr '\\000' x
echo
echo the last line
seq 1 100 >&2
exit 3
`;
  const before = process.memoryUsage().rss;
  const ran = await run(planOf([[hook(script, ['node-1'], { policy: { outputLimit: 100_000 } })]]));
  const log = logOf(ran);
  expect(log.length).toBeLessThan(200_000);
  expect(log).toContain('[boathook: more than 100000 bytes were printed; what follows is the last of it]');
  expect(log).toContain('\nthe last line\n');
  expect(ran.outcomes[0]).toMatchObject({
    exit: 3,
    message: expect.stringContaining('\n99\n100\n') as string,
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  const longest = Math.max(...ran.events.map((event) => (event.type === 'output' ? event.line.length : 0)));
  expect(longest).toBeLessThan(3000);
});

test('a daemon that a script leaves behind does not delay it, and keeps running', async () => {
  const script = '#!/bin/sh\n( while :; do echo busy; sleep 0.1; done ) &\necho $! >/srv/daemon\n';
  const ran = await run(planOf([[hook(script, ['node-1'])]]));
  expect(stateOf(ran.end)).toBe('Succeeded');
  expect(first().test('kill -0 $(cat /srv/daemon)')).toBe(true);
  first().run('sh', '-c', 'kill $(cat /srv/daemon)');
});

test('a script without an interpreter line, one with bytes that are no text, one that is missing', async () => {
  const plain = await run(planOf([[hook('echo plain', ['node-1'])]]));
  expect(logOf(plain)).toBe('plain\n');
  const program = { type: 'source', path: '/bin/true', digest: digestOf(readFileSync('/bin/true')) } as const;
  const native = await run(planOf([[{ ...hook('', ['node-1']), program }]]));
  expect(stateOf(native.end)).toBe('Succeeded');
  const gone = await run(planOf([[hook('', ['node-1'], { delivered: '/srv/nowhere' })]]));
  expect(gone.outcomes[0]).toMatchObject({ type: 'failed', exit: 127 });
});

test('local steps run on this machine with the same capture', async () => {
  const step = hook('#!/bin/sh\necho "on $WHERE"; exit 0\n', ['@local'], { env: { WHERE: 'here' } });
  const ran = await run(planOf([[step]]));
  expect(stateOf(ran.end)).toBe('Succeeded');
  expect(logOf(ran, '@local')).toBe('on here\n');
});

test('a cancelled operation leaves no process, no lease and no folder', async () => {
  const cancel = new AbortController();
  const script = '#!/bin/sh\nsetsid sleep 2001 &\nsleep 2000 &\necho begun\nwait\n';
  const dataDir = mkdtempSync(join(hosts.folder, 'data-'));
  const work = { id: 'op-cancel', plan: planOf([[hook(script, ['node-1', 'node-2'])]]), nodes, dataDir };
  const begun = new Set<string>();
  const end = await operate(
    { ...work, graceMillis: 1000, insecure: true },
    {
      signal: cancel.signal,
      emit(event) {
        if (event.type === 'output' && event.line === 'begun') begun.add(event.node);
        if (begun.size === 2) cancel.abort(new Error('Ctrl-C'));
      },
    },
  );
  expect(stateOf(end)).toBe('Cancelled');
  for (const host of list) {
    expect(host.test('pgrep -f "sleep 200[0-9]"')).toBe(false);
    expect(host.run('find', '/var/lib/boathook', '-name', 'lease*').trim()).toBe('');
  }
  expect(journalOf(work).at(-1)).toMatchObject({ type: 'closed', state: 'Cancelled' });
  const outcomes = journalOf(work).flatMap((record) =>
    record.type === 'result' ? [record.outcome.type] : [],
  );
  expect(outcomes).toEqual(['cancelled', 'cancelled']);
});

test('where failures are ignored, later hooks of the node still run', async () => {
  const fails = hook('#!/bin/sh\nexit 1\n', ['node-1'], { id: 'fails', policy: { onFailure: 'ignore' } });
  const runs = hook('#!/bin/sh\necho later\n', ['node-1'], { id: 'later' });
  const ran = await run(planOf([[fails, runs]], { operation: 'cluster.delete' }));
  expect(ran.end).toMatchObject({
    type: 'ended',
    verdict: { state: 'Succeeded', ignored: [{ node: 'node-1' }] },
  });
  expect(logOf(ran, 'node-1', 'later.1')).toBe('later\n');
});

test('an unreachable host stops an operation before anything is changed, or is skipped', async () => {
  const absent = { ...(nodes[1] as ClusterNode), port: 1 };
  const both = [nodes[0] as ClusterNode, absent];
  const step = hook('#!/bin/sh\necho run >>/srv/f1\n', ['node-1', 'node-2']);
  const refused = await run(planOf([[step]]), { nodes: both });
  expect(refused.end).toMatchObject({ type: 'unreachable' });
  expect(refused.end.type === 'unreachable' && refused.end.failures.get('node-2')).toContain(
    'connection refused',
  );
  expect(existsSync(first().path('/srv/f1'))).toBe(false);
  const isolated = await run(planOf([[step]], { operation: 'node.join', onUnreachable: 'isolate-node' }), {
    nodes: both,
  });
  expect(stateOf(isolated.end)).toBe('PartlySucceeded');
  expect(first().run('cat', '/srv/f1')).toBe('run\n');
});

test('secrets reach the script and appear nowhere else', async () => {
  const secret = join(hosts.folder, 'secret');
  writeFileSync(secret, 'sentinel-42a7');
  const script = `#!/bin/sh
[ "$TOKEN" = "senti""nel-42a7" ] || exit 9
ps axww -o args | grep -c '[s]enti''nel-42a7'
stat -c %a ../env
exit 1
`;
  const env = { TOKEN: { type: 'secret', ref: { type: 'file', path: secret } } } as const;
  const ran = await run(planOf([[hook(script, ['node-1'], { env })]]));
  expect(logOf(ran)).toBe('0\n600\n');
  const said = JSON.stringify([ran.events, ran.end, journalOf(ran.work), ran.work]);
  expect(said).not.toContain('sentinel');
  expect(first().test('grep -r senti[n]el /var/lib/boathook /root')).toBe(false);
});

test('nothing is kept of a limit that was not reached', async () => {
  const ran = await run(planOf([[hook('#!/bin/sh\necho quick\n', ['node-1'], { timeout: millis(60_000) })]]));
  expect(stateOf(ran.end)).toBe('Succeeded');
  // The watch over the limit ends by itself, in its own time.
  await expect.poll(() => first().test('pgrep -f "slee[p] 60"')).toBe(false);
});
