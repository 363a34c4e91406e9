import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { expect, test } from 'vitest';
import { everyFile, openClusterWorld, type ClusterWorld } from '../support/cluster-world.ts';
import { root } from '../support/project-files.ts';

/** What stands in for kubeadm and its kin: notes every call, keeps the configuration, leaves the files they would. */
const standIn = (world: ClusterWorld): string => `#!/bin/sh
set -e
program=$(basename "$0")
echo "$BOATHOOK_NODE $program $*" >> ${world.folder}/calls
case "$program $*" in
  *--config*.yaml*)
    for word; do case $word in *.yaml) cp "$word" "${world.folder}/$BOATHOOK_NODE-$word" ;; esac; done ;;
esac
case "$program $1" in
  'kubeadm init')
    [ "$2" = phase ] && exit 0
    mkdir -p /etc/kubernetes/pki
    echo "authority of $BOATHOOK_CLUSTER" > /etc/kubernetes/pki/ca.crt
    echo 'apiVersion: v1' > /etc/kubernetes/admin.conf ;;
  'kubeadm join')
    if [ -e ${world.folder}/broken ]; then rm ${world.folder}/broken; echo 'join broke off' >&2; exit 1; fi
    cp discovery.conf "${world.folder}/$BOATHOOK_NODE-discovery.conf"
    echo joined > /etc/kubernetes/kubelet.conf ;;
  'kubeadm reset') rm -rf /etc/kubernetes/pki /etc/kubernetes/*.conf ;;
esac
`;

const config = `
cluster-id: harbour
username: root
password: "sentinel-pass-word"
kubernetes-version: 1.30.2
masters:
- {name: m1, ip: 192.0.2.2}
- {name: m2, ip: 192.0.2.3}
workers:
- {name: w1, ip: 192.0.2.4}
network: {podcidr: 10.244.0.0/16}
addition:
  worker:
  - {name: prejoin.sh, type: shell, schedule: prejoin}
  - {name: postjoin.sh, type: shell, schedule: postjoin}
`;

async function harbour(): Promise<ClusterWorld> {
  const addresses = [2, 3, 4, 5].map((last) => `192.0.2.${last}`);
  const world = await openClusterWorld(
    addresses.map((address) => ({ address, password: 'sentinel-pass-word', folders: ['/usr/local/bin'] })),
    'eggo',
  );
  for (const host of world.hosts.values())
    for (const program of ['kubeadm', 'kubelet', 'kubectl', 'crictl']) {
      const path = host.path(`/usr/local/bin/${program}`);
      writeFileSync(path, standIn(world));
      chmodSync(path, 0o755);
    }
  writeFileSync(join(world.folder, 'deploy.yaml'), config);
  for (const name of ['prejoin.sh', 'postjoin.sh'])
    writeFileSync(
      join(world.folder, name),
      `#!/bin/sh\necho "$BOATHOOK_NODE ${name}" >> ${world.folder}/calls\n`,
    );
  return world;
}

const read = (world: ClusterWorld, name: string): string => readFileSync(join(world.folder, name), 'utf8');

/** Runs a verb and gives the calls it led to. */
async function callsOf(world: ClusterWorld, ...args: readonly string[]): Promise<readonly string[]> {
  writeFileSync(join(world.folder, 'calls'), '');
  const { code, out, error } = await world.cluster(...args, '-f', 'deploy.yaml', '--parallel', '1');
  expect({ code, error }, out + error).toEqual({ code: 0, error: '' });
  return read(world, 'calls').trimEnd().split('\n');
}

const check = (node: string): string => `${node} crictl version`;
const byFirst = (words: string): string => `m1 kubectl --kubeconfig /etc/kubernetes/admin.conf ${words}`;

test('kubeadm through a whole life: order, arguments, configuration', async () => {
  await using world = await harbour();
  expect(await callsOf(world, 'deploy')).toEqual([
    'w1 prejoin.sh',
    ...['m1', 'm2', 'w1'].map(check),
    'm1 kubeadm init --config init.yaml --upload-certs --skip-token-print --skip-certificate-key-print',
    'm1 kubeadm init phase bootstrap-token --config init.yaml',
    'm1 kubeadm init phase upload-certs --upload-certs --config init.yaml',
    'm2 kubeadm join --config join.yaml',
    'w1 kubeadm join --config join.yaml',
    'w1 postjoin.sh',
  ]);

  const [init, cluster] = parseAllDocuments(read(world, 'm1-init.yaml')).map((each) => each.toJS() as object);
  expect(init).toMatchObject({
    apiVersion: 'kubeadm.k8s.io/v1beta3',
    kind: 'InitConfiguration',
    bootstrapTokens: [{ token: expect.stringMatching(/^[a-z0-9]{6}\.[a-z0-9]{16}$/) }],
    certificateKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    localAPIEndpoint: { advertiseAddress: '192.0.2.2', bindPort: 6443 },
    nodeRegistration: { name: 'm1' },
  });
  expect(cluster).toMatchObject({
    kind: 'ClusterConfiguration',
    kubernetesVersion: 'v1.30.2',
    controlPlaneEndpoint: '192.0.2.2:6443',
    networking: { podSubnet: '10.244.0.0/16' },
  });
  const { bootstrapTokens, certificateKey } = init as {
    bootstrapTokens: { token: string }[];
    certificateKey: string;
  };
  const token = bootstrapTokens[0]?.token ?? '';
  const [master] = parseAllDocuments(read(world, 'm2-join.yaml')).map((each) => each.toJS() as object);
  expect(master).toMatchObject({
    discovery: { tlsBootstrapToken: token },
    controlPlane: { certificateKey, localAPIEndpoint: { advertiseAddress: '192.0.2.3' } },
  });
  const authority = Buffer.from('authority of harbour\n').toString('base64');
  expect(read(world, 'w1-discovery.conf')).toContain(`certificate-authority-data: ${authority}\n`);
  expect(read(world, 'w1-join.yaml')).not.toContain('certificateKey');

  expect(await callsOf(world, 'deploy'), 'a second deployment leaves alone what is there').toEqual(['']);

  expect(await callsOf(world, 'join', '192.0.2.5', '--name', 'w2')).toEqual([
    'm1 kubeadm init phase bootstrap-token --config init.yaml',
    'm1 kubeadm init phase upload-certs --upload-certs --config init.yaml',
    'w2 prejoin.sh',
    check('w2'),
    'w2 kubeadm join --config join.yaml',
    'w2 postjoin.sh',
  ]);

  const upgraded = (node: string, words: string): readonly string[] => [
    byFirst(`get node ${node}`),
    byFirst(`drain ${node} --ignore-daemonsets --delete-emptydir-data --timeout 10m`),
    `${node} kubeadm upgrade ${words}`,
    byFirst(`uncordon ${node}`),
  ];
  expect(await callsOf(world, 'upgrade')).toEqual([
    'm1 kubeadm upgrade plan v1.30.2',
    ...upgraded('m1', 'apply --yes v1.30.2'),
    ...['m2', 'w1', 'w2'].flatMap((node) => upgraded(node, 'node')),
  ]);

  expect(await callsOf(world, 'delete', 'w2', '--yes')).toEqual([
    byFirst('get node w2'),
    byFirst('drain w2 --ignore-daemonsets --delete-emptydir-data --timeout 10m'),
    'w2 kubeadm reset --force',
    byFirst('delete node w2 --ignore-not-found'),
  ]);
  expect(await callsOf(world, 'cleanup', '--yes')).toEqual(
    ['w1', 'm2', 'm1'].map((node) => `${node} kubeadm reset --force`),
  );

  for (const [path, content] of everyFile(world.dataDir))
    for (const secret of ['sentinel-pass-word', token, certificateKey])
      expect(content.includes(secret), `${path} holds a secret`).toBe(false);
});

const marked = (features: object): string => {
  const login = { password: Buffer.from('sentinel-pass-word').toString('base64') };
  const taints = [
    { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
    { key: 'example.com/old', effect: 'NoExecute' },
  ];
  const machine = (name: string, spec: object): object => ({
    apiVersion: 'platform.tkestack.io/v1',
    kind: 'Machine',
    metadata: { name },
    spec: { ...login, ...spec },
  });
  const cluster = {
    apiVersion: 'platform.tkestack.io/v1',
    kind: 'Cluster',
    metadata: { name: 'cls-marked' },
    spec: {
      version: '1.30.2',
      machines: [{ ...login, ip: '192.0.2.2', labels: { zone: 'b', disk: '' } }],
      features,
    },
  };
  const machines = [
    machine('mc-1', { ip: '192.0.2.4', labels: { tier: 'back' }, taints }),
    machine('mc-2', { ip: '192.0.2.5' }),
  ];
  return [cluster, ...machines].map((each) => JSON.stringify(each)).join('\n---\n');
};

test('TKEStack: labels and taints are set on nodes that have joined, and upgrades follow their settings', async () => {
  await using world = await harbour();
  const first = '192.0.2.2';
  const write = (features: object): void =>
    writeFileSync(join(world.folder, 'deploy.yaml'), marked(features));
  const byMaster = (words: string): string =>
    `${first} kubectl --kubeconfig /etc/kubernetes/admin.conf ${words}`;
  const ofWorker = [
    byMaster('label node mc-1 tier=back --overwrite'),
    byMaster('taint node mc-1 gpu=yes:NoSchedule --overwrite'),
    byMaster('taint node mc-1 example.com/old:NoExecute --overwrite'),
  ];
  const marks = [
    byMaster(`label node ${first} disk= --overwrite`),
    byMaster(`label node ${first} zone=b --overwrite`),
    ...ofWorker,
  ];
  write({});
  const deployed = await callsOf(world, 'deploy');
  expect(deployed.slice(-7)).toEqual([
    'mc-1 kubeadm join --config join.yaml',
    'mc-2 kubeadm join --config join.yaml',
    ...marks,
  ]);
  expect(await callsOf(world, 'deploy'), 'nothing is done twice').toEqual(['']);
  expect(await callsOf(world, 'join'), 'members already').toEqual(['']);

  const away = marked({}).replace('192.0.2.4', () => '192.0.2.9');
  writeFileSync(join(world.folder, 'deploy.yaml'), away);
  writeFileSync(join(world.folder, 'calls'), '');
  const partly = await world.cluster('join', '-f', 'deploy.yaml', '--connect-timeout', '1s');
  expect(partly.code, partly.out + partly.error).toBe(4);
  expect(read(world, 'calls'), 'nothing is put on a node that is left out').not.toContain('node mc-1');

  const upgraded = (node: string, words: string): readonly string[] => [
    `${node} kubeadm upgrade ${words}`,
    byMaster(`uncordon ${node}`),
  ];
  write({ upgrade: { mode: 'Manual', strategy: { drainNodeBeforeUpgrade: false } } });
  expect(await callsOf(world, 'upgrade')).toEqual([
    `${first} kubeadm upgrade plan v1.30.2`,
    ...upgraded(first, 'apply --yes v1.30.2'),
  ]);
  expect(await callsOf(world, 'upgrade', 'mc-1')).toEqual(upgraded('mc-1', 'node'));

  write({ skipConditions: ['EnsureMarkNode', 'EnsureMarkControlPlane'] });
  await callsOf(world, 'cleanup', '--yes');
  expect((await callsOf(world, 'deploy')).filter((call) => / (label|taint) /.test(call))).toEqual([]);

  writeFileSync(
    join(world.folder, 'deploy.yaml'),
    marked({}).replace('"gpu"', () => '"$(reboot)"'),
  );
  const refused = await world.cluster('deploy', '-f', 'deploy.yaml');
  expect(refused.code).toBe(2);
  expect(refused.error).toContain('/1/spec/taints/0/key: the key name part must consist of');
});

test('a join that was interrupted starts again', async () => {
  await using world = await harbour();
  writeFileSync(join(world.folder, 'broken'), '');
  const failed = await world.cluster('deploy', '-f', 'deploy.yaml', '--rollback=false');
  expect(failed.code, failed.out).toBe(1);
  expect(failed.out).toContain('join broke off');
  const calls = await callsOf(world, 'retry');
  expect(calls.slice(0, 2)).toEqual(['m2 kubeadm reset --force', 'm2 kubeadm join --config join.yaml']);
  expect(calls).not.toContain(
    'm1 kubeadm init --config init.yaml --upload-certs --skip-token-print --skip-certificate-key-print',
  );
});

test("bootstrap: Boathook's kinds come onto the new cluster between its second and third hook", async () => {
  await using world = await harbour();
  mkdirSync(join(world.folder, 'bin'));
  const kubectl = '#!/bin/sh\necho "here kubectl $*" >> ';
  writeFileSync(
    join(world.folder, 'bin', 'kubectl'),
    `${kubectl}${world.folder}/calls\ncp kubeconfig ${world.folder}/kubeconfig\n`,
    { mode: 0o755 },
  );
  mkdirSync(join(world.folder, 'hooks'));
  for (const name of ['pre-install', 'post-cluster-ready', 'post-install'])
    writeFileSync(join(world.folder, 'hooks', name), `#!/bin/sh\necho ${name} >> ${world.folder}/calls\n`, {
      mode: 0o755,
    });
  const command = `${root}/boathook cluster bootstrap -f deploy.yaml --data-dir ${world.dataDir}`;
  const { code, out, error } = await world.shell(`PATH=$PWD/bin:$PATH ${command}`);
  expect({ code, error }, out + error).toEqual({ code: 0, error: '' });
  const calls = read(world, 'calls').trimEnd().split('\n');
  expect(calls[0]).toBe('pre-install');
  expect(calls.slice(-3)).toEqual([
    'post-cluster-ready',
    `here kubectl --kubeconfig kubeconfig apply --server-side -f ${root}/deploy/crds`,
    'post-install',
  ]);
  expect(read(world, 'kubeconfig')).toBe('apiVersion: v1\n');
});
