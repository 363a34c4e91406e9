import { chmodSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import {
  clusterOf,
  isTrue,
  machineOf,
  openObjectsWorld,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';

const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;

/** What stands in for kubeadm and its kin: notes every call and leaves the files that they would. */
const standIn = (notes: string): string => `#!/bin/sh
set -e
program=$(basename "$0")
echo "$BOATHOOK_NODE $program $*" >> ${notes}
case "$program $1" in
  'kubeadm init')
    [ "$2" = phase ] && exit 0
    mkdir -p /etc/kubernetes/pki
    echo "authority of $BOATHOOK_CLUSTER" > /etc/kubernetes/pki/ca.crt
    echo 'apiVersion: v1' > /etc/kubernetes/admin.conf ;;
  'kubeadm join') echo joined > /etc/kubernetes/kubelet.conf ;;
  'kubeadm reset') rm -rf /etc/kubernetes/pki /etc/kubernetes/*.conf ;;
esac
`;

/** Machines with folders of their own for what an installer needs and leaves. */
async function furnish(world: ObjectsWorld): Promise<void> {
  const netns = (await world.shell('ip netns identify $$')).out.trim();
  for (const address of [first, second, third]) {
    await world.shell(`ip addr add ${address}/32 dev lo`);
    const host = await world.own.add({
      addresses: [address],
      port: 22,
      netns,
      folders: ['/tmp', '/usr/local/bin', '/etc/kubernetes'],
      accounts: [{ name: 'root', password: 'secret-1' }],
    });
    for (const program of ['kubeadm', 'kubelet', 'kubectl', 'crictl']) {
      const path = host.path(`/usr/local/bin/${program}`);
      writeFileSync(path, standIn(world.notes));
      chmodSync(path, 0o755);
    }
  }
}

function features(world: ObjectsWorld): JsonObject {
  for (const type of ['PreInstall', 'PostUpgrade']) world.noting(`hooks/${type}`);
  return {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: { PreInstall: '/tmp/hooks/PreInstall', PostUpgrade: '/tmp/hooks/PostUpgrade' },
  };
}

const marking = 'labels [$BOATHOOK_LABELS] taints [$BOATHOOK_TAINTS]';

/** What was noted since the last call. */
function news(world: ObjectsWorld): readonly string[] {
  const lines = world.noted();
  writeFileSync(world.notes, '');
  return lines;
}

const ready = (world: ObjectsWorld, kind: string, name: string, version: string): Promise<JsonObject> =>
  world.until(
    kind,
    name,
    (object) => isTrue(object, 'Ready') && textAt(object, 'status', 'version') === version,
  );

test('kubeadm through the whole life of a Cluster and a Machine', async () => {
  await using world = await openObjectsWorld([]);
  await furnish(world);
  const given = features(world);
  const cluster = (addresses: readonly string[], version: string): JsonObject =>
    clusterOf('cls-adm', addresses, given, { installer: 'kubeadm', parallel: 1, version });
  await world.apply(cluster([first, second], '1.30.1'), machineOf('mc-1', 'cls-adm', third));
  await ready(world, 'machine', 'mc-1', '1.30.1');
  const invite = [
    `${first} kubeadm init phase bootstrap-token --config init.yaml`,
    `${first} kubeadm init phase upload-certs --upload-certs --config init.yaml`,
  ];
  expect(news(world)).toEqual([
    `${first} PreInstall`,
    `${second} PreInstall`,
    `${first} crictl version`,
    `${second} crictl version`,
    `${first} kubeadm init --config init.yaml --upload-certs --skip-token-print --skip-certificate-key-print`,
    ...invite,
    `${second} kubeadm join --config join.yaml`,
    ...invite,
    'mc-1 PreInstall',
    'mc-1 crictl version',
    'mc-1 kubeadm join --config join.yaml',
  ]);
  const kept = [
    'get',
    'secret',
    '-n',
    'boathook-system',
    'cls-adm-artifacts',
    '-o',
    'jsonpath={.data.kubeconfig}',
  ];
  expect(atob((await world.kubectl(kept)).out)).toBe('apiVersion: v1\n');

  await world.apply(cluster([first, second], '1.31.0'));
  await ready(world, 'cluster', 'cls-adm', '1.31.0');
  await ready(world, 'machine', 'mc-1', '1.31.0');
  const byFirst = (words: string): string =>
    `${first} kubectl --kubeconfig /etc/kubernetes/admin.conf ${words}`;
  const drained = (node: string): readonly string[] => [
    byFirst(`get node ${node}`),
    byFirst(`drain ${node} --ignore-daemonsets --delete-emptydir-data --timeout 10m`),
  ];
  const upgraded = (node: string, words: string): readonly string[] => [
    ...drained(node),
    `${node} kubeadm upgrade ${words}`,
    `${node} PostUpgrade`,
    byFirst(`uncordon ${node}`),
  ];
  expect(news(world)).toEqual([
    `${first} kubeadm upgrade plan v1.31.0`,
    ...upgraded(first, 'apply --yes v1.31.0'),
    ...upgraded(second, 'node'),
    ...upgraded('mc-1', 'node'),
  ]);

  await world.apply(cluster([first], '1.31.0'));
  await world.until('cluster', 'cls-adm', (object) => listAt(object, 'status', 'machines').length === 1);
  expect(news(world)).toEqual([...drained(second), byFirst(`delete node ${second} --ignore-not-found`)]);
  const told = await world.shell('grep -m1 NotReset < <(timeout 300 kubectl get events --watch 2>/dev/null)');
  expect(told.out).toContain(`Nothing is run on ${second}, whose credentials are no longer in spec.machines`);

  expect((await world.kubectl(['delete', 'cluster', 'cls-adm', '--timeout=300s'])).error).toBe('');
  await world.gone('machine', 'mc-1');
  expect(news(world)).toEqual(['mc-1 kubeadm reset --force', `${first} kubeadm reset --force`]);
  expect((await world.kubectl(kept)).error).toContain('not found');
});

test('kubeadm: labels and taints of Clusters and Machines reach their nodes; an upgrade that empties no node', async () => {
  await using world = await openObjectsWorld([]);
  await furnish(world);
  const cluster = (version: string, features: JsonObject): JsonObject => {
    const given = { installer: 'kubeadm', parallel: 1, version };
    const made = clusterOf('cls-marked', [first, second], features, given);
    const machines = listAt(made, 'spec', 'machines').map((each, at) =>
      at === 0 ? { ...(each as JsonObject), labels: { zone: 'b' } } : each,
    );
    return { ...made, spec: { ...objectAt(made, 'spec'), machines } };
  };
  const worker = machineOf('mc-1', 'cls-marked', third);
  const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
  const marks = { labels: { 'example.com/tier': 'back' }, taints };
  const hooks = { PostInstall: '/tmp/hooks/PostInstall' };
  world.noting('hooks/PostInstall');
  const features = { files: [{ src: 'hooks', dst: '/tmp/hooks' }], hooks };
  await world.apply(cluster('1.30.1', features), {
    ...worker,
    spec: { ...objectAt(worker, 'spec'), ...marks },
  });
  const made = await ready(world, 'machine', 'mc-1', '1.30.1');
  expect(isTrue(made, 'EnsureMarkNode')).toBe(true);
  expect(isTrue((await world.get('cluster', 'cls-marked')) ?? {}, 'EnsureMarkControlPlane')).toBe(true);
  const byFirst = (words: string): string =>
    `${first} kubectl --kubeconfig /etc/kubernetes/admin.conf ${words}`;
  const calls = news(world);
  expect(calls.filter((call) => !/ (crictl|kubeadm init) /.test(call))).toEqual([
    `${second} kubeadm join --config join.yaml`,
    byFirst(`label node ${first} zone=b --overwrite`),
    `${first} PostInstall`,
    `${second} PostInstall`,
    'mc-1 kubeadm join --config join.yaml',
    byFirst('label node mc-1 example.com/tier=back --overwrite'),
    byFirst('taint node mc-1 gpu=yes:NoSchedule --overwrite'),
    'mc-1 PostInstall',
  ]);

  const upgrade = { strategy: { drainNodeBeforeUpgrade: false } };
  await world.apply(cluster('1.31.0', { ...features, upgrade }));
  await ready(world, 'machine', 'mc-1', '1.31.0');
  const upgraded = (node: string, words: string): readonly string[] => [
    `${node} kubeadm upgrade ${words}`,
    byFirst(`uncordon ${node}`),
  ];
  expect(news(world)).toEqual([
    `${first} kubeadm upgrade plan v1.31.0`,
    ...upgraded(first, 'apply --yes v1.31.0'),
    ...upgraded(second, 'node'),
    ...upgraded('mc-1', 'node'),
  ]);

  const bad = { ...machineOf('mc-2', 'cls-marked', '192.0.2.4') };
  const wrong = { labels: { 'two words': 'x' } };
  await world.apply({ ...bad, spec: { ...objectAt(bad, 'spec'), ...wrong } });
  const told = await world.until(
    'machine',
    'mc-2',
    (object) => textAt(object, 'status', 'message') !== undefined,
  );
  expect(textAt(told, 'status', 'message')).toContain('/spec/labels/two words: the key name part must');
});

test('own commands in the place of an installer', async () => {
  await using world = await openObjectsWorld(
    [first, second, third].map((address) => ({ address, password: 'secret-1' })),
  );
  for (const step of ['init', 'join-master', 'join-worker', 'upgrade', 'reset', 'forget'])
    world.noting(`commands/${step}`);
  world.noting('commands/mark', `echo "${marking}" >> ${world.notes}`);
  const cluster = (version: string): JsonObject =>
    clusterOf('cls-own', [first, second], {}, { installer: 'commands', parallel: 1, version });
  const worker = machineOf('mc-1', 'cls-own', third);
  const taints = [{ key: 'gpu', effect: 'NoSchedule' }];
  const marks = { labels: { tier: 'back', zone: 'b' }, taints };
  await world.apply(cluster('1'), { ...worker, spec: { ...objectAt(worker, 'spec'), ...marks } });
  await ready(world, 'machine', 'mc-1', '1');
  expect(news(world)).toEqual([
    `${first} init ${first} ${first}`,
    `${second} join-master ${second} ${second}`,
    `mc-1 join-worker mc-1 ${third}`,
    `${first} mark mc-1 ${third}`,
    'labels [tier=back zone=b] taints [gpu:NoSchedule]',
  ]);
  await world.apply(cluster('2'));
  await ready(world, 'machine', 'mc-1', '2');
  expect(news(world)).toEqual([`${second} upgrade ${second} ${second}`, `mc-1 upgrade mc-1 ${third}`]);
  expect((await world.kubectl(['delete', 'machine', 'mc-1', '--timeout=300s'])).error).toBe('');
  expect(news(world)).toEqual([`mc-1 reset mc-1 ${third}`, `${first} forget mc-1 ${third}`]);
  expect((await world.kubectl(['delete', 'cluster', 'cls-own', '--timeout=300s'])).error).toBe('');
  expect(news(world)).toEqual([`${second} reset ${second} ${second}`, `${first} reset ${first} ${first}`]);
});

test('what a controller keeps of a Cluster is in its own namespace', async () => {
  await using world = await openObjectsWorld([], { flags: ['--controllers', 'none'] });
  await furnish(world);
  await using controller = world.follow(
    'controller',
    '--lease-namespace',
    'ops',
    '--files-root',
    world.root,
    '--data-dir',
    world.dataDir,
  );
  await controller.lineLike(/^running /);
  await world.apply(clusterOf('cls-ops', [first], features(world), { installer: 'kubeadm' }));
  await ready(world, 'cluster', 'cls-ops', '1.30.1');
  const secrets = ['get', 'secrets', '-A', '--field-selector', 'type=boathook.dev/machine-artifacts'];
  const where = ['-o', 'jsonpath={range .items[*]}{.metadata.namespace}/{.metadata.name} {end}'];
  expect((await world.kubectl([...secrets, ...where])).out.trim()).toBe('ops/cls-ops-artifacts');
  expect((await world.kubectl(['delete', 'cluster', 'cls-ops', '--timeout=300s'])).error).toBe('');
  expect((await world.kubectl([...secrets, ...where])).out.trim()).toBe('');
});
