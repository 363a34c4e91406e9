import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKubeadmWorld, type KubeadmWorld } from '../support/kubeadm-world.ts';

const bad = '--posthook=bad.sh,worker';
const anotherDataDir = (world: KubeadmWorld): readonly string[] => {
  mkdirSync(join(world.folder, 'elsewhere'), { recursive: true });
  return ['--data-dir', join(world.folder, 'elsewhere')];
};
const resets = (calls: readonly string[]): readonly string[] =>
  calls.filter((call) => call.includes('kubeadm reset'));

test('a repeated deploy or join with a failing hook leaves a living cluster alone', async () => {
  await using world = await openKubeadmWorld();
  await world.ends(0, 'deploy');
  world.calls();
  for (const again of [
    ['deploy', bad],
    ['deploy', bad, ...anotherDataDir(world)],
    ['join', 'w1', bad],
    ['join', 'w1', bad, ...anotherDataDir(world)],
  ]) {
    const { out } = await world.ends(0, ...again);
    expect(out).toMatch(/nothing was changed/i);
    expect(world.calls(), again.join(' ')).toEqual([]);
  }
});

test('a deploy that fails undoes what it made itself, and only that', async () => {
  await using world = await openKubeadmWorld();
  const { out } = await world.ends(1, 'deploy', bad);
  expect(out).toContain('Rolling back: cleanup');
  expect(resets(world.calls())).toEqual(['w1 kubeadm reset --force', 'm1 kubeadm reset --force']);

  await world.ends(0, 'deploy');
  world.write('deploy.yaml', { workers: ['w1', 'w2'] });
  world.calls();
  await world.ends(4, 'join', 'w2', bad);
  const calls = world.calls();
  expect(resets(calls)).toEqual(['w2 kubeadm reset --force']);
  expect(world.on('192.0.2.12', 'ls /etc/kubernetes')).toContain('kubelet.conf');

  await world.ends(4, 'join', 'w2', '--prehook=bad.sh,worker');
  expect(resets(world.calls()), 'nothing was made, nothing is undone').toEqual([]);
});

test('deploy and join of what is begun, of another version or of other machines: exit 2 with the right verb', async () => {
  await using world = await openKubeadmWorld();
  await world.ends(1, 'deploy', bad, '--rollback=false');
  world.calls();
  const half = await world.ends(2, 'deploy');
  expect(half.error).toContain('boathook cluster resume');
  const elsewhere = await world.ends(2, 'deploy', ...anotherDataDir(world));
  expect(elsewhere.error).toContain('resume');
  expect(world.calls()).toEqual([]);
  world.script('bad.sh', 'true');
  await world.ends(0, 'retry');
  world.calls();

  for (const where of [[], anotherDataDir(world)]) {
    world.write('deploy.yaml', { version: '1.31.0' });
    const newer = await world.ends(2, 'deploy', ...where);
    expect(newer.error).toMatch(/1\.30\.2.*boathook cluster upgrade/s);
    world.write('deploy.yaml', { workers: ['w1', 'w2'] });
    const more = await world.ends(2, 'deploy', ...where);
    expect(more.error).toMatch(/w2.*boathook cluster join/s);
    world.write('deploy.yaml', { workers: ['w1', 'w2'], version: '1.31.0' });
    const joined = await world.ends(2, 'join', 'w2', ...where);
    expect(joined.error).toMatch(/1\.30\.2.*boathook cluster upgrade/s);
    world.write('deploy.yaml');
  }
  expect(world.calls(), 'no hook, no installer').toEqual([]);
});

test('--dry-run and plan show what a rollback would do', async () => {
  await using world = await openKubeadmWorld();
  for (const args of [
    ['deploy', '--dry-run'],
    ['plan', 'deploy'],
  ]) {
    const { out } = await world.ends(0, ...args);
    expect(out).toMatch(/rollback[\s\S]*precleanup\.sh[\s\S]*reset[^\n]* w1 [\s\S]*reset[^\n]* m1 /i);
    const kept = await world.ends(0, ...args, '--rollback=false');
    expect(kept.out).not.toContain('precleanup.sh');
    const json = await world.ends(0, ...args, '-o', 'json');
    expect(JSON.parse(json.out)).toMatchObject({ rollback: { steps: [{ node: 'w1' }, {}, { node: 'm1' }] } });
  }
});

test('after a rolled-back deploy status, logs and retry are about the deploy, and retry does it again', async () => {
  await using world = await openKubeadmWorld();
  await world.ends(1, 'deploy', bad);
  const status = await world.ends(0, 'status');
  expect(status.out).toMatch(/harbour: cluster\.create \S+-deploy-\w+: Failed/);
  expect(status.out).toMatch(/rolled back/i);
  const logs = await world.ends(0, 'logs');
  expect(logs.out).toContain('posthook');
  const again = await world.ends(2, 'resume');
  expect(again.error).toContain('boathook cluster retry');
  world.calls();
  await world.ends(1, 'retry');
  expect(resets(world.calls()), 'what the second try made is taken back as well').toHaveLength(2);
  world.script('bad.sh', `echo "$BOATHOOK_NODE mended" >> ${world.folder}/calls`);
  await world.ends(0, 'retry');
  const calls = world.calls();
  expect(calls[0]).toBe('w1 prejoin.sh');
  expect(calls).toContain('w1 kubeadm join --config join.yaml');
  expect(calls.at(-1)).toBe('w1 mended');
  const after = await world.ends(0, 'status');
  expect(after.out).toMatch(/harbour: cluster\.create \S+-deploy-\w+: Succeeded/);
  expect(after.out).not.toMatch(/rolled back/i);
});

test('a rollback resets no machine that another operation has made meanwhile', async () => {
  await using world = await openKubeadmWorld();
  const identity = '/etc/kubernetes/boathook-identity';
  world.script('bad.sh', `sed -i s/^operation=.*/operation=another/ ${identity}\nexit 7`);
  await world.ends(1, 'deploy', bad);
  expect(resets(world.calls()), 'w1 is left alone').toEqual(['m1 kubeadm reset --force']);
  expect(world.on('192.0.2.12', `cat ${identity}`)).toContain('operation=another\n');
});

test('members take no part in a join of several machines', async () => {
  await using world = await openKubeadmWorld();
  await world.ends(0, 'deploy');
  world.write('deploy.yaml', { workers: ['w1', 'w2'] });
  world.calls();
  const { out } = await world.ends(0, 'join', 'w1', 'w2');
  expect(out).toContain('w1 is a member of harbour already and is skipped');
  expect(world.calls().filter((call) => call.startsWith('w1 '))).toEqual([]);
  const dry = await world.ends(0, 'deploy', '--dry-run');
  expect(dry.out).toMatch(
    /notice: harbour is complete at version 1\.30\.2 on m1, w1, w2: .*nothing was changed/,
  );
});

test('an operator that is killed in the middle of a rollback: resume finishes it, retry begins again', async () => {
  await using world = await openKubeadmWorld();
  world.script(
    'precleanup.sh',
    `echo waiting\nuntil [ -e ${world.folder}/go ]; do sleep 0.1; done\necho "$BOATHOOK_NODE precleanup.sh" >> ${world.folder}/calls`,
  );
  const operator = world.follow('deploy', '-f', 'deploy.yaml', bad, '-o', 'json', '--lease-stale', '1s');
  await operator.lineLike(/"line":"waiting"/);
  await operator.stop('SIGKILL');
  expect((await world.ends(0, 'status')).out).toMatch(/Failed\nrolled back: Interrupted/);
  const half = await world.ends(2, 'deploy');
  expect(half.error).toContain('boathook cluster resume');
  expect(existsSync(join(world.folder, 'go'))).toBe(false);
  writeFileSync(join(world.folder, 'go'), '');
  world.calls();
  const { out } = await world.ends(1, 'resume');
  expect(out).toContain('boathook cluster retry');
  expect(world.calls()).toEqual(['w1 precleanup.sh', 'w1 kubeadm reset --force', 'm1 kubeadm reset --force']);
  world.script('bad.sh', 'true');
  await world.ends(0, 'retry');
  expect(world.calls()).toContain('w1 kubeadm join --config join.yaml');
});

test('a rollback that a user cancels: resume and retry finish it before anything else', async () => {
  await using world = await openKubeadmWorld();
  const waits = `echo waiting\nuntil [ -e ${world.folder}/go ]; do sleep 0.1; done`;
  world.script('precleanup.sh', waits);
  const operator = world.follow('deploy', '-f', 'deploy.yaml', bad, '-o', 'json');
  await operator.lineLike(/"line":"waiting"/);
  await operator.stop('SIGINT');
  expect((await world.ends(0, 'status')).out).toMatch(
    /Failed\nrolled back: Cancelled .*resume" continues it/,
  );
  expect(resets(world.calls())).toEqual([]);
  writeFileSync(join(world.folder, 'go'), '');
  world.script('bad.sh', 'true');
  await world.ends(0, 'retry');
  const calls = world.calls();
  expect(resets(calls)).toEqual(['w1 kubeadm reset --force', 'm1 kubeadm reset --force']);
  expect(calls.indexOf('w1 kubeadm join --config join.yaml')).toBeGreaterThan(
    calls.indexOf('m1 kubeadm reset --force'),
  );
});
