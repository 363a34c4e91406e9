import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openKubeadmWorld } from '../support/kubeadm-world.ts';

const identity = '/etc/kubernetes/boathook-identity';

test("another cluster's control plane is refused by name, before any hook, and taken over with --adopt", async () => {
  await using world = await openKubeadmWorld();
  await world.ends(0, 'deploy');
  expect(world.on('192.0.2.11', `cat ${identity}; stat -c %U:%a ${identity}`)).toMatch(
    /^cluster=harbour\nversion=1\.30\.2\nrole=master\S*\nnode=m1\n.*id=sha256:[0-9a-f]{64}\n.*root:644\n$/s,
  );
  expect(world.on('192.0.2.12', `cat ${identity}`)).toMatch(/^cluster=harbour\n.*role=worker\nnode=w1\n/s);
  world.calls();

  world.write('lagoon.yaml', { id: 'lagoon', version: '1.29.1', workers: ['w2'] });
  const lagoon = ['-f', 'lagoon.yaml'];
  for (const verb of ['deploy', 'cleanup', 'upgrade'] as const) {
    const refused = await world.ends(2, verb, ...lagoon, '--yes');
    expect(refused.error).toMatch(/m1 .*"harbour".*1\.30\.2.*sha256:[0-9a-f]{12}.*not to "lagoon"/s);
    if (verb === 'deploy') expect(refused.error).toContain('--adopt');
  }
  world.write('lagoon-2.yaml', { id: 'lagoon', first: '192.0.2.14', workers: ['w1'] });
  const worker = await world.ends(2, 'deploy', '-f', 'lagoon-2.yaml', '--adopt', '--yes');
  expect(worker.error, 'a machine of another cluster cannot come along').toMatch(/w1 .*"harbour"/);
  expect(world.calls()).toEqual([]);

  world.write('lagoon.yaml', { id: 'lagoon', workers: ['w1'] });
  const declined = await world.inTerminal('n', 'deploy -f lagoon.yaml --adopt');
  expect(declined.code, declined.out).toBe(130);
  expect(declined.out).toMatch(/"harbour".*it is taken over\. Continue\? \[y\/N\]/);
  expect(world.on('192.0.2.11', `cat ${identity}`)).toMatch(/^cluster=harbour\n/);
  await world.ends(0, 'deploy', ...lagoon, '--adopt');
  expect(world.calls()).not.toContain('m1 kubeadm init --config init.yaml --upload-certs --skip-token-print');
  expect(world.on('192.0.2.11', `cat ${identity}`)).toMatch(/^cluster=lagoon\n/);
  expect(world.on('192.0.2.12', `cat ${identity}`)).toMatch(/^cluster=lagoon\n/);
  const lost = await world.ends(2, 'deploy');
  expect(lost.error).toContain('"lagoon"');
});

test('machines of earlier versions carry no identity: they are recognised by the authority of their cluster', async () => {
  await using world = await openKubeadmWorld();
  await world.ends(0, 'deploy');
  for (const address of ['192.0.2.11', '192.0.2.12'])
    world.on(address, `rm ${identity}; printf harbour > /etc/kubernetes/.boathook-joined`);
  world.on('192.0.2.11', 'rm /etc/kubernetes/.boathook-joined');
  world.calls();
  expect((await world.ends(0, 'deploy', '--posthook=bad.sh,worker')).out).toMatch(/nothing was changed/i);
  rmSync(world.dataDir, { recursive: true });
  const { out } = await world.ends(0, 'deploy', '--posthook=bad.sh,worker');
  expect(out, 'compared between its machines').toMatch(/nothing was changed/i);
  world.write('deploy.yaml', { workers: ['w1', 'w2'] });
  world.calls();
  await world.ends(0, 'join', 'w2');
  expect(world.on('192.0.2.11', `cat ${identity}`), 'from now on it carries one').toMatch(
    /^cluster=harbour\n/,
  );
  world.calls();

  for (const address of ['192.0.2.11', '192.0.2.12', '192.0.2.13'])
    world.on(address, `rm -f ${identity} /etc/kubernetes/.boathook-joined`);
  const refused = await world.ends(2, 'deploy', '--data-dir', join(world.folder, 'empty'));
  expect(refused.error).toMatch(/m1 .*control plane.*sha256:[0-9a-f]{12}.*--adopt/s);
  expect(world.calls()).toEqual([]);
});

test('cleanup leaves no identity behind; an upgrade renews it', async () => {
  await using world = await openKubeadmWorld();
  await world.ends(0, 'deploy');
  world.write('deploy.yaml', { version: '1.31.0' });
  await world.ends(0, 'upgrade');
  for (const address of ['192.0.2.11', '192.0.2.12'])
    expect(world.on(address, `cat ${identity}`)).toContain('version=1.31.0\n');
  await world.ends(0, 'cleanup', '--yes');
  for (const address of ['192.0.2.11', '192.0.2.12'])
    expect(world.on(address, `ls -A /etc/kubernetes`)).toBe('');
});
