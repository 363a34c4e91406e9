import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textAt } from '#base/json.ts';
import { openClusterWorld, type ClusterWorld } from '../support/cluster-world.ts';
import { installStandIn, kubeadm114, kubeadmStandIn, newsIn } from '../support/kubeadm-stand-in.ts';
import { clusterOf, conditionOf, openObjectsWorld } from '../support/machine-objects-world.ts';

const [m1, m2, w1] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;

const config = (version: string): string => `
cluster-id: harbour
username: root
password: "sentinel-pass-word"
kubernetes-version: ${version}
masters:
- {name: m1, ip: ${m1}}
- {name: m2, ip: ${m2}}
workers:
- {name: w1, ip: ${w1}}
`;

const notesOf = (world: ClusterWorld): string => join(world.folder, 'calls');

async function harbour(version: string): Promise<ClusterWorld> {
  const world = await openClusterWorld(
    [m1, m2, w1].map((address) => ({
      address,
      password: 'sentinel-pass-word',
      folders: ['/usr/local/bin'],
    })),
    'eggo',
  );
  for (const host of world.hosts.values()) installStandIn(host, kubeadmStandIn(notesOf(world), kubeadm114));
  writeFileSync(join(world.folder, 'deploy.yaml'), config(version));
  return world;
}

async function callsOf(world: ClusterWorld, verb: string): Promise<readonly string[]> {
  const { code, out, error } = await world.cluster(verb, '-f', 'deploy.yaml', '--parallel', '1');
  expect({ code, error }, out + error).toEqual({ code: 0, error: '' });
  return newsIn(notesOf(world)).filter((call) => !call.includes('crictl'));
}

/** Secrets are random: their places are compared. */
const shapeOf = (call: string): string =>
  call
    .replace(/--certificate-key [0-9a-f]{64}\b/, '--certificate-key KEY')
    .replace(/--tls-bootstrap-token [a-z0-9]{6}\.[a-z0-9]{16}\b/, '--tls-bootstrap-token TOKEN');

test('kubeadm 1.14 is called with the flags that it has, from the first master to an upgrade', async () => {
  await using world = await harbour('1.14.10');
  expect((await callsOf(world, 'deploy')).map(shapeOf)).toEqual([
    'm1 kubeadm init --config init.yaml --experimental-upload-certs --certificate-key KEY --skip-token-print --skip-certificate-key-print',
    'm1 kubeadm init phase bootstrap-token --config init.yaml',
    'm1 kubeadm init phase upload-certs --experimental-upload-certs --certificate-key KEY --config init.yaml',
    `m2 kubeadm join ${m1}:6443 --experimental-control-plane --discovery-file discovery.conf --apiserver-advertise-address ${m2} --node-name m2 --certificate-key KEY --tls-bootstrap-token TOKEN`,
    'w1 kubeadm join --config join.yaml',
  ]);
  const upgrade = await callsOf(world, 'upgrade');
  expect(upgrade.filter((call) => call.includes('kubeadm upgrade'))).toEqual([
    'm1 kubeadm upgrade plan v1.14.10',
    'm1 kubeadm upgrade apply --yes v1.14.10',
    'm2 kubeadm upgrade node experimental-control-plane',
    'w1 kubeadm upgrade node config --kubelet-version v1.14.10',
  ]);
  expect(upgrade.filter((call) => call.includes(' drain '))).toHaveLength(3);
});

test('a Kubernetes before 1.14 is refused by name before anything is changed', async () => {
  await using world = await harbour('1.13.12');
  for (const words of [['deploy'], ['deploy', '--dry-run'], ['upgrade']]) {
    const { code, error } = await world.cluster(...words, '-f', 'deploy.yaml');
    expect({ code, error }).toEqual({
      code: 2,
      error: expect.stringMatching(
        /deploy\.yaml: \/kubernetes-version: Kubernetes 1\.13\.12 is too old for the installer kubeadm, which needs 1\.14 or later/,
      ),
    });
  }
  expect(newsIn(notesOf(world))).toEqual([]);
});

test('a Cluster object of a Kubernetes before 1.14 reports it and touches no machine, and goes at once', async () => {
  await using world = await openObjectsWorld([{ address: m1, password: 'secret-1' }]);
  await world.apply(clusterOf('cls-old', [m1], {}, { installer: 'kubeadm', version: 'v1.13.12' }));
  const told = await world.until(
    'cluster',
    'cls-old',
    (object) => textAt(object, 'status', 'reason') === 'InvalidSpec',
  );
  const text = '/spec/version: Kubernetes v1.13.12 is too old for the installer kubeadm';
  expect(textAt(told, 'status', 'message')).toContain(text);
  expect(conditionOf(told, 'Ready')).toMatchObject({ status: 'False', reason: 'InvalidSpec' });
  expect(conditionOf(told, 'EnsurePreflight')).toMatchObject({
    status: 'False',
    reason: 'FailedInit',
    message: expect.stringContaining(text),
  });
  expect((await world.kubectl(['delete', 'cluster', 'cls-old', '--timeout=300s'])).error).toBe('');
});
