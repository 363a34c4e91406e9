import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyFile, openClusterWorld, type ClusterWorld } from '../support/cluster-world.ts';
import { root } from '../support/project-files.ts';

const second = 'Letmein123,.1';

/** A script that notes where, when and with what it ran. */
function noting(world: ClusterWorld, path: string, more = ''): void {
  const name = path.split('/').at(-1) ?? '';
  const file = join(world.folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(
    file,
    `#!/bin/bash\nset -e\necho "$BOATHOOK_NODE ${name} $BOATHOOK_HOOK $# $*" >> ${world.folder}/order\n${more}`,
  );
  chmodSync(file, 0o755);
}

const order = (world: ClusterWorld): readonly string[] =>
  readFileSync(join(world.folder, 'order'), 'utf8').replace(/\n$/, '').split('\n');

const fine = ({ code, error, out }: { code: number | null; error: string; out: string }): void =>
  expect({ code, error }, out + error).toEqual({ code: 0, error: '' });

test('the first example: two files, two hooks, commented JSON', async () => {
  await using world = await openClusterWorld([{ address: '192.0.2.21', password: '123456' }], 'single-files');
  const deployed = await world.cluster('deploy', '-f', 'cluster.yaml', '--installer', 'none');
  fine(deployed);
  expect(deployed.out).toMatch(
    /PreInstall: Succeeded[\s\S]*PostInstall: Succeeded[\s\S]*Succeeded \(3 of 3 tasks\)/,
  );
  expect(world.on('192.0.2.21', 'ls /tmp/hooks')).toBe('post-install\npre-install\n');
  const status = await world.cluster('status', '-f', 'cluster.yaml');
  expect(status.out).toMatch(
    /EnsureCopyFiles: True\nEnsurePreInstallHook: True\nEnsurePostInstallHook: True\n$/,
  );
  const logs = await world.cluster('logs', '-f', 'cluster.yaml');
  expect(logs.out).toMatch(/pre node install\n[\s\S]*post node install\n/);
  for (const [path, content] of everyFile(world.dataDir)) expect(content, path).not.toContain('MTIzNDU2');
});

test('the second example: folders, arguments, and two machines that join', async () => {
  const addresses = ['192.0.2.9', '192.0.2.10', '192.0.2.11'];
  await using world = await openClusterWorld(
    addresses.map((address) => ({ address, password: second })),
    'folders',
  );
  const printed = await world.cluster('deploy', '-f', 'cluster.json', '--installer', 'none', '--dry-run');
  fine(printed);
  expect(printed.out).toContain('node.alpha.kubernetes.io/test=hello location=xa');
  expect(world.on('192.0.2.9', 'ls -A /tmp /var/lib/boathook')).toBe('/tmp:\n\n/var/lib/boathook:\n');

  fine(await world.cluster('deploy', '-f', 'cluster.json', '--installer', 'none'));
  const { out } = await world.cluster('logs', '-f', 'cluster.json');
  const said =
    'the cluster labels and annotations key=value pair:node.alpha.kubernetes.io/test=hello location=xa';
  expect(out.split('\n').filter((line) => !line.startsWith('==>'))).toEqual([
    said,
    'pre cluster install',
    'pre node install',
    'post node install',
    said,
    'post cluster install',
    '',
  ]);

  const joined = await world.cluster(
    'join',
    '-f',
    'cluster.json',
    '-f',
    'workers.yaml',
    '--installer',
    'none',
  );
  fine(joined);
  for (const address of ['192.0.2.10', '192.0.2.11'])
    expect(world.on(address, 'ls /tmp/hooks/*')).toContain('pre-install');
  const later = await world.cluster('logs', '-f', 'cluster.json', '-f', 'workers.yaml', '--node', 'mc-11');
  expect(later.out).toMatch(
    /^==> mc-11 node-pre\/PreInstall .*\npre node install\n==> mc-11 node-post\/PostInstall/,
  );

  const again = await world.cluster(
    'plan',
    'deploy',
    '-f',
    'cluster.json',
    '--installer',
    'none',
    '-o',
    'json',
  );
  expect(JSON.parse(again.out)).toMatchObject({ operation: 'cluster.create' });
  for (const [path, content] of everyFile(world.dataDir)) {
    expect(content, path).not.toContain('TGV0bWVpbjEyMywuMQ==');
    expect(content, path).not.toContain(second);
  }
});

test('all ten types run where the document defines it, through a whole life', async () => {
  const addresses = ['192.0.2.9', '192.0.2.10', '192.0.2.11'];
  await using world = await openClusterWorld(
    addresses.map((address) => ({ address, password: second })),
    'folders',
  );
  const ten = ['Install', 'Upgrade', 'ClusterInstall', 'ClusterUpgrade', 'ClusterDelete'].flatMap((what) => [
    `Pre${what}`,
    `Post${what}`,
  ]);
  for (const type of ten) noting(world, `hooks/all/${type}`);
  const cluster = JSON.parse(readFileSync(join(world.folder, 'cluster.json'), 'utf8')) as {
    metadata: { labels: Record<string, string> };
    spec: { machines: object[]; features: object };
  };
  const [machine] = cluster.spec.machines;
  cluster.metadata.labels['trap'] = 'two words; touch /tmp/executed';
  cluster.spec.machines = [machine ?? {}, { ...machine, ip: '192.0.2.10' }];
  cluster.spec.features = {
    files: [{ src: 'hooks/all', dst: '/tmp/all' }],
    hooks: Object.fromEntries(ten.map((type) => [`Hook${type}`, `/tmp/all/${type}`])),
  };
  const worker = readFileSync(join(world.folder, 'workers.yaml'), 'utf8').split('---\n')[1] ?? '';
  writeFileSync(join(world.folder, 'all.yaml'), `${JSON.stringify(cluster)}\n---\n${worker}`);
  const run = async (verb: string): Promise<readonly string[]> => {
    writeFileSync(join(world.folder, 'order'), '');
    fine(await world.cluster(verb, '--yes', '-f', 'all.yaml', '--installer', 'none', '--parallel', '1'));
    return order(world);
  };
  const first = (type: string): string =>
    `192.0.2.9 ${type} ${type} 3 node.alpha.kubernetes.io/test=hello location=xa trap=two words; touch /tmp/executed`;
  const each = (type: string, node: string): string => `${node} ${type} ${type} 0 `;
  const nodes = ['192.0.2.9', '192.0.2.10', 'mc-11'];
  expect(await run('deploy')).toEqual([
    first('PreClusterInstall'),
    ...nodes.map((node) => each('PreInstall', node)),
    ...nodes.map((node) => each('PostInstall', node)),
    first('PostClusterInstall'),
  ]);
  expect(await run('upgrade')).toEqual([
    first('PreClusterUpgrade'),
    ...nodes.flatMap((node) => [each('PreUpgrade', node), each('PostUpgrade', node)]),
    first('PostClusterUpgrade'),
  ]);
  expect(await run('cleanup')).toEqual([first('PreClusterDelete'), first('PostClusterDelete')]);
  for (const address of addresses)
    expect(world.on(address, 'ls -A /tmp/executed /tmp/all 2>/dev/null || true')).not.toContain('executed');
  expect(world.on('192.0.2.9', 'ls -A /tmp/all 2>/dev/null || true')).toBe('');
});

const eggoHosts = [2, 3, 4, 5, 6, 7].map((last) => ({ address: `192.0.2.${last}`, password: '123456' }));

test('eggo: the table of flags, the addition, the nine variables', async () => {
  await using world = await openClusterWorld(eggoHosts, 'eggo');
  for (const script of ['prejoin.sh', 'postjoin.sh', 'node.sh', 'cluster-hooks/20-then.sh'])
    noting(world, script);
  const flags = ['--installer', 'none', '--parallel', '1'];
  const deployed = await world.cluster(
    'deploy',
    '-f',
    'deploy.yaml',
    '--cluster-prehook=cluster-hooks',
    '--cluster-posthook=cluster-hooks/20-then.sh',
    '--prehook=node.sh,worker',
    '--posthook=node.sh,etcd',
    ...flags,
  );
  fine(deployed);
  expect(order(world).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'master-0 20-then.sh cluster-prehook',
    'worker-0 node.sh prehook',
    'worker-1 node.sh prehook',
    'master-0 prejoin.sh install/addition/master/0',
    'worker-0 postjoin.sh install/addition/worker/0',
    'worker-1 postjoin.sh install/addition/worker/0',
    'etcd-0 node.sh posthook',
    'master-0 20-then.sh cluster-posthook',
  ]);
  const { out } = await world.cluster('logs', '-f', 'deploy.yaml', '--step', '10-show.sh');
  expect(out.split('\n').slice(1, -1)).toEqual([
    'EGGO_CLUSTER_API_ENDPOINT=192.0.2.6:8443',
    'EGGO_CLUSTER_CONFIG_DIR=/etc/kubernetes',
    'EGGO_CLUSTER_ID=k8s-cluster',
    'EGGO_HOOK_TYPE=prehook',
    'EGGO_NODE_ARCH=amd64',
    'EGGO_NODE_IP=192.0.2.2',
    'EGGO_NODE_NAME=master-0',
    'EGGO_NODE_ROLE=master',
    'EGGO_OPERATOR=deploy',
  ]);

  writeFileSync(
    join(world.folder, 'node.sh'),
    `#!/bin/sh\necho "$EGGO_NODE_NAME $EGGO_OPERATOR $EGGO_HOOK_TYPE $EGGO_NODE_ROLE $EGGO_NODE_ARCH" >> ${world.folder}/order\n`,
  );
  const clear = (): void => writeFileSync(join(world.folder, 'order'), '');
  clear();
  const node = ['192.0.2.7', '--name', 'worker-2', '--arch', 'arm64'];
  const both = ['--prehook=node.sh,worker', '--posthook=node.sh,worker'];
  fine(await world.cluster('join', ...node, '-f', 'deploy.yaml', ...both, ...flags));
  expect(order(world)).toEqual([
    'worker-2 join prehook worker arm64',
    'worker-2 postjoin.sh install/addition/worker/0 0 ',
    'worker-2 join posthook worker arm64',
  ]);
  clear();
  fine(await world.cluster('delete', 'worker-2', '--yes', '-f', 'deploy.yaml', ...both, ...flags));
  expect(order(world)).toEqual([
    'worker-2 delete prehook worker arm64',
    'worker-2 delete posthook worker arm64',
  ]);
  clear();
  fine(await world.cluster('cleanup', '--yes', '-f', 'deploy.yaml', '--cluster-posthook=node.sh', ...flags));
  expect(order(world)).toEqual(['master-0 cleanup posthook master amd64']);
});

test('the three hooks of an installer run here, around the deployment', async () => {
  await using world = await openClusterWorld([{ address: '192.0.2.2', password: '123456' }], 'bootstrap');
  const flags = ['-f', 'deploy.yaml', '--installer', 'none'];
  const done = await world.cluster('bootstrap', ...flags);
  fine(done);
  const { out } = await world.cluster('logs', ...flags.slice(0, 2));
  expect(out.split('\n').filter((line) => !line.startsWith('==>'))).toEqual([
    'pre-install, in operator',
    'post-cluster-ready, in operator',
    'post-install, in operator',
    '',
  ]);
  const missing = await world.cluster('bootstrap', ...flags, '--hooks-dir', 'nowhere');
  expect(missing.code).toBe(2);
  expect(missing.error).toMatch(/--hooks-dir: the script .*nowhere\/pre-install does not exist/);
});

test("one's own scripts between the hooks", async () => {
  await using world = await openClusterWorld(eggoHosts, 'eggo');
  for (const script of [
    'commands/init',
    'commands/join-worker',
    'commands/reset',
    'prejoin.sh',
    'postjoin.sh',
  ])
    noting(world, script);
  const flags = ['-f', 'deploy.yaml', '--installer', 'commands', '--parallel', '1'];
  fine(await world.cluster('deploy', ...flags));
  expect(order(world).map((line) => line.replace(/install\/addition\S* /, ''))).toEqual([
    'master-0 prejoin.sh 0 ',
    'master-0 init  2 master-0 192.0.2.2',
    'worker-0 join-worker  2 worker-0 192.0.2.3',
    'worker-1 join-worker  2 worker-1 192.0.2.4',
    'worker-0 postjoin.sh 0 ',
    'worker-1 postjoin.sh 0 ',
  ]);
  writeFileSync(join(world.folder, 'order'), '');
  fine(await world.cluster('cleanup', '--yes', ...flags));
  expect(order(world).map((line) => line.split(' ')[0])).toEqual(['worker-0', 'worker-1', 'master-0']);
});

test('in a terminal: a line for each node and a bar; with -o json: an event per line', async () => {
  await using world = await openClusterWorld([{ address: '192.0.2.21', password: '123456' }], 'single-files');
  const command = `${root}/boathook cluster deploy -f cluster.yaml --installer none --data-dir ${world.dataDir}`;
  const shown = await world.shell(`script -qec "stty cols 90 rows 20; ${command}" /dev/null`);
  expect(shown.code, shown.out).toBe(0);
  expect(shown.out).toMatch(/192\.0\.2\.21 +Succeeded +PostInstall/);
  expect(shown.out).toContain(`[${'█'.repeat(40)}] 3/3 Succeeded`);
  const again = ['-f', 'cluster.yaml', '--installer', 'none'];
  fine(await world.cluster('cleanup', '--yes', ...again));
  const { code, out, error } = await world.cluster('deploy', ...again, '-o', 'json');
  expect({ code, error }).toEqual({ code: 0, error: '' });
  const events = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; line?: string; state?: string });
  expect(
    events.filter(({ type }) => type === 'output').map(({ line }) => line),
    out,
  ).toEqual(['pre node install', 'post node install']);
  expect(events.findLast(({ type }) => type === 'operation')?.state).toBe('Succeeded');
});
