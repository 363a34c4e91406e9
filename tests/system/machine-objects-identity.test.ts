import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { putStandIns } from '../support/kubeadm-world.ts';
import {
  clusterOf,
  conditionOf,
  isFalse,
  isTrue,
  openObjectsWorld,
} from '../support/machine-objects-world.ts';

const address = '192.0.2.31';
const carried = 'cluster=lagoon\\nversion=1.29.1\\nrole=master\\nid=sha256:1234\\n';

test("a Cluster does not take another cluster's control plane for its own, unless spec.adopt is set", async () => {
  await using world = await openObjectsWorld([]);
  const netns = (await world.shell('ip netns identify $$')).out.trim();
  await world.shell(`ip addr add ${address}/32 dev lo`);
  const host = await world.own.add({
    addresses: [address],
    port: 22,
    netns,
    folders: ['/tmp', '/usr/local/bin', '/etc/kubernetes'],
    accounts: [{ name: 'root', password: 'secret-1' }],
  });
  putStandIns(host, world.notes, world.own.folder);
  host.run(
    'sh',
    '-c',
    `mkdir /etc/kubernetes/pki; echo lagoon > /etc/kubernetes/pki/ca.crt; echo > /etc/kubernetes/admin.conf; printf '${carried}' > /etc/kubernetes/boathook-identity`,
  );
  world.noting('hooks/PreInstall');
  const features = {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: { PreInstall: '/tmp/hooks/PreInstall' },
  };
  await world.apply(clusterOf('cls-mine', [address], features, { installer: 'kubeadm', version: '1.30.1' }));
  const refused = await world.until('cluster', 'cls-mine', (object) => isFalse(object, 'EnsureIdentity'));
  expect(conditionOf(refused, 'EnsureIdentity')).toMatchObject({ status: 'False', reason: 'FailedInit' });
  expect(textAt(conditionOf(refused, 'EnsureIdentity'), 'message')).toMatch(
    /identify refused, and changed nothing\nthis machine belongs to the cluster "lagoon" \(version 1\.29\.1/,
  );
  expect(world.noted(), 'neither a hook nor an installer has run').toEqual([]);

  await world.kubectl(['patch', 'cluster', 'cls-mine', '--type=merge', '-p', '{"spec":{"adopt":true}}']);
  await world.until('cluster', 'cls-mine', (object) => isTrue(object, 'Ready'));
  expect(world.noted()).toEqual([
    `${address} PreInstall`,
    `${address} crictl version`,
    `${address} kubectl --kubeconfig /etc/kubernetes/admin.conf get --raw /readyz`,
  ]);
  expect(isTrue(await world.get('cluster', 'cls-mine'), 'EnsureIdentity')).toBe(true);
  expect(host.run('cat', '/etc/kubernetes/boathook-identity')).toMatch(
    /^cluster=cls-mine\nversion=1\.30\.1\n/,
  );
});
