import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKubeadmWorld } from '../support/kubeadm-world.ts';

test.for([
  ['cleanup', 'cleanup', '1.30.2'],
  ['delete', 'delete w1', '1.30.2'],
  ['a downgrade', 'upgrade', '1.29.9'],
] as const)('%s: confirmed on a terminal, --yes without one', async ([, words, version]) => {
  await using world = await openKubeadmWorld();
  await world.ends(0, 'deploy');
  world.calls();
  world.write('deploy.yaml', { version });
  const operations = (): readonly string[] => readdirSync(join(world.dataDir, 'machines/harbour/operations'));
  const before = operations();

  const unasked = await world.ends(2, ...words.split(' '));
  expect(unasked.error).toContain('--yes');
  const refused = await world.inTerminal('n', `${words} -f deploy.yaml`);
  expect(refused.code, refused.out).toBe(130);
  expect(refused.out).toMatch(/\[y\/N\]/);
  expect(refused.out, 'the plan stands before the question').toMatch(/w1[\s\S]*\[y\/N\]/);
  expect(world.calls()).toEqual([]);
  expect(operations()).toEqual(before);

  const agreed = await world.inTerminal('yes', `${words} -f deploy.yaml`);
  expect(agreed.code, agreed.out).toBe(0);
  expect(world.calls().length).toBeGreaterThan(0);
});

test('a plan is printed before anything is changed', async () => {
  await using world = await openKubeadmWorld();
  const { out } = await world.ends(0, 'deploy');
  expect(out.slice(0, out.indexOf('Running'))).toMatch(/prejoin\.sh[\s\S]*init[\s\S]*join-worker/);
  const json = await world.ends(0, 'cleanup', '--yes', '-o', 'json');
  expect(JSON.parse(json.out.split('\n')[0] ?? '')).toMatchObject({
    type: 'plan',
    plan: { cluster: 'harbour' },
  });
});

test('resume and retry use what the operation was started with, and a contradiction names both', async () => {
  await using world = await openKubeadmWorld();
  const known = join(world.folder, 'hosts');
  writeFileSync(known, '');
  world.script(
    'slow.sh',
    `echo "$BOATHOOK_NODE slow.sh" >> ${world.folder}/calls\necho begun\nuntil [ -e ${world.folder}/go ]; do sleep 0.1; done`,
  );
  const given = ['--state-dir', '/tmp/jobs', '--known-hosts', known, '--lease-stale', '1s'];
  const deploy = ['deploy', '-f', 'deploy.yaml', '-o', 'json', '--cluster-prehook=slow.sh'];
  const operator = world.follow(...deploy, ...given);
  await operator.lineLike(/"line":"begun"/);
  await operator.stop('SIGKILL');
  const other = await world.ends(2, 'resume', '--state-dir', '/var/lib/other');
  expect(other.error).toMatch(/--state-dir.*\/var\/lib\/other.*\/tmp\/jobs/);
  const hosts = await world.ends(2, 'retry', '--known-hosts', '/dev/null');
  expect(hosts.error).toMatch(/--known-hosts.*\/dev\/null.*\/hosts/);
  const installer = await world.ends(2, 'resume', '--installer', 'none');
  expect(installer.error).toMatch(/--installer.*none.*kubeadm/);
  writeFileSync(join(world.folder, 'go'), '');
  await world.ends(0, 'resume');
  expect(
    world.calls().filter((call) => call.endsWith('slow.sh')),
    'run once in all',
  ).toHaveLength(1);
  expect(existsSync(world.hosts.get('192.0.2.11')?.path('/var/lib/boathook/harbour') ?? '')).toBe(false);
});
