import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyFile, openClusterWorld, type ClusterWorld } from '../support/cluster-world.ts';

const master = '192.0.2.2';
const worker = '192.0.2.3';
const hosts = [master, worker].map((address) => ({ address, password: 'sentinel-login' }));
const deploy = ['deploy', '-f', 'deploy.yaml', '--installer', 'none'] as const;

const config = `
cluster-id: harbour
password: "sentinel-login"
masters: [{name: m1, ip: ${master}}]
workers: [{name: w1, ip: ${worker}}]
`;

/** A file below the operator's folder. */
function put(world: ClusterWorld, path: string, content: string | Buffer, mode = 0o644): string {
  const file = join(world.folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

test('a script finds what lies beside it; hidden files and the file with the password stay here', async () => {
  await using world = await openClusterWorld(hosts, 'eggo');
  put(world, 'deploy.yaml', config);
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
  put(
    world,
    'run.sh',
    '#!/bin/sh\nset -e\ncd "$(dirname "$0")"\n. lib/words.sh\nsay\nsha256sum <data.bin\nfind . -type f | sort\n',
  );
  put(world, 'lib/words.sh', 'say() { echo "words from beside"; }\n');
  put(world, 'lib/deep/er/x', 'x');
  put(world, 'data.bin', bytes);
  put(world, 'log', 'a line\n');
  put(world, '.secret/key', 'sentinel-hidden');
  symlinkSync('/etc/hostname', join(world.folder, 'linked'));
  const planned = await world.cluster(...deploy, '--cluster-prehook=run.sh', '--dry-run');
  expect(planned.out).toMatch(/run\.sh .* with cluster-hooks\/10-show\.sh, .* and \d+ more/);
  expect(planned.out).toMatch(/deploy\.yaml is not sent: a file of the cluster itself/);
  expect(planned.out).toMatch(/\.secret is not sent: it is hidden/);
  expect(planned.out).toMatch(/linked is a link to \/etc\/hostname; its content is sent/);
  // What lies there may change meanwhile, as a log of this very command does.
  await using operator = world.follow(...deploy, '--cluster-prehook=run.sh', '--parallel', '1');
  for (let line = ''; !/cluster-prehook.*Succeeded/.test(line);) {
    line = await operator.line();
    put(world, 'log', `${line}\n`);
  }
  expect((await operator.ended).code).toBe(0);
  const { out } = await world.cluster('logs', '-f', 'deploy.yaml');
  const digest = createHash('sha256').update(bytes).digest('hex');
  expect(out).toContain('words from beside\n');
  expect(out).toContain(digest);
  expect(out).toMatch(/\.\/lib\/deep\/er\/x\n/);
  expect(out).not.toMatch(/deploy\.yaml|\.secret/);
  expect(world.on(master, 'find /var/lib/boathook -name words.sh'), 'nothing is left').toBe('');
  for (const [path, content] of everyFile(world.dataDir)) expect(content, path).not.toContain('sentinel-');
});

test('all scripts of a folder run, executable or not, with the rest of the folder beside them', async () => {
  await using world = await openClusterWorld(hosts, 'eggo');
  put(world, 'deploy.yaml', config);
  put(world, 'hooks/10-first.sh', '#!/bin/sh\necho "$0 reads $(cat words.txt)"\n');
  put(world, 'hooks/20-second', '#!/bin/sh\n./tool; echo left > trace; ls\n', 0o755);
  put(world, 'hooks/30-third.sh', 'test ! -e trace && echo "third has a folder of its own"\n');
  put(world, 'hooks/tool', 'not a script', 0o644);
  put(world, 'hooks/words.txt', 'the words');
  put(world, 'hooks/sub/inner.sh', '#!/bin/sh\necho never\n', 0o755);
  const done = await world.cluster(...deploy, '--prehook=hooks,worker');
  expect(done.code, done.out + done.error).toBe(0);
  expect(done.out).toMatch(/words\.txt is not run but sent along: not a script/);
  expect(done.out).toMatch(/hooks\/sub is not run but sent along: a folder inside the folder/);
  const { out } = await world.cluster('logs', '-f', 'deploy.yaml');
  expect(out).toContain('./10-first.sh reads the words\n');
  expect(out).toContain('third has a folder of its own\n');
  expect(out).not.toContain('never');
});

test.for([
  ['the root of the file system', '/x-boathook.sh', /--prehook: \/ is the whole file system/],
  [
    'a home directory',
    'HOME/x.sh',
    /home is a home directory\. .*put the script, and what it needs, into a folder of its own/,
  ],
  ['more than 16 MiB', 'large/x.sh', /large holds more than 16 MiB\. .*a folder of its own/],
] as const)(
  'a script whose folder is %s is refused, and no machine is contacted',
  async ([, place, says]) => {
    await using world = await openClusterWorld([], 'eggo');
    put(world, 'deploy.yaml', config);
    put(world, 'large/x.sh', '#!/bin/sh\n');
    put(world, 'large/blob', '');
    truncateSync(join(world.folder, 'large/blob'), 17 * 1024 * 1024);
    put(world, '../home/x.sh', '#!/bin/sh\n');
    const path = place.startsWith('/') ? '/' : place.replace('HOME', join(world.folder, '..', 'home'));
    const { code, out, error } = await world.cluster(...deploy, `--prehook=${path},master`);
    expect(code, out).toBe(2);
    expect(error).toMatch(says);
  },
);

/** A real package that brings one file. */
function makeDeb(folder: string): string {
  const tree = join(folder, 'deb');
  mkdirSync(join(tree, 'DEBIAN'), { recursive: true });
  mkdirSync(join(tree, 'opt', 'harbour'), { recursive: true });
  writeFileSync(
    join(tree, 'DEBIAN', 'control'),
    'Package: harbour-tool\nVersion: 1.0\nArchitecture: all\nMaintainer: nobody <x@example.com>\nDescription: a test\n',
  );
  writeFileSync(join(tree, 'opt', 'harbour', 'from-package'), 'packed\n');
  const file = join(folder, 'harbour-tool_1.0_all.deb');
  execFileSync('dpkg-deb', ['--root-owner-group', '-b', tree, file]);
  return file;
}

/** Notes its arguments, and the content of files among them. */
const noting = `#!/bin/sh
echo "\${0##*/} $*" >> /opt/calls
for word; do if [ -f "$word" ]; then cat "$word" >> /opt/calls; fi; done
`;

test('packages, binaries, files, images and manifests of addition arrive on the machines of their role', async () => {
  const own = ['/opt', '/usr/local/bin', '/var/lib/dpkg', '/var/log'];
  await using world = await openClusterWorld(
    hosts.map((host) => ({ ...host, folders: own })),
    'eggo',
  );
  for (const host of world.hosts.values()) {
    for (const program of ['apt-get', 'ctr', 'kubectl']) {
      writeFileSync(host.path(`/usr/local/bin/${program}`), noting);
      chmodSync(host.path(`/usr/local/bin/${program}`), 0o755);
    }
    host.run('sh', '-c', 'mkdir -p /var/lib/dpkg/info /var/lib/dpkg/updates; : > /var/lib/dpkg/status');
  }
  mkdirSync(join(world.folder, 'package', 'bin'), { recursive: true });
  mkdirSync(join(world.folder, 'package', 'pkg'));
  writeFileSync(join(world.folder, 'package', 'bin', 'tool'), '#!/bin/sh\necho tool\n');
  makeDeb(join(world.folder, 'package', 'pkg'));
  put(world, 'package/file/post.sh', '#!/bin/sh\n. ./beside\n');
  put(world, 'package/file/beside', 'echo "from the package"\n');
  execFileSync('tar', ['-czf', '../package.tar.gz', '.'], { cwd: join(world.folder, 'package') });
  put(world, 'image.tar', 'layers\n');
  put(world, 'net.yaml', 'kind: ConfigMap\n');
  put(world, 'tree/a b', 'blank\n');
  put(world, 'tree/sub/c', 'deep\n');
  put(
    world,
    'deploy.yaml',
    `${config}
install:
  package-source: {type: tar.gz, srcpath: {amd64: package.tar.gz}}
  addition:
    master:
    - {name: net.yaml, type: yaml}
    worker:
    - {name: "jq, curl", type: repo}
    - {name: harbour-tool, type: pkg}
    - {name: tool, type: bin, dst: /opt/bin}
    - {name: net.yaml, type: file, dst: /opt/etc}
    - {name: tree, type: dir, dst: "/opt/with blank"}
    - {name: image.tar, type: image}
    - {name: post.sh, type: shell, schedule: postjoin}
`,
  );
  const done = await world.cluster(...deploy);
  expect(done.code, done.out + done.error).toBe(0);
  expect(world.on(worker, 'cat /opt/harbour/from-package')).toBe('packed\n');
  expect(world.on(worker, '/opt/bin/tool')).toBe('tool\n');
  expect(
    world.on(worker, 'cat /opt/etc/net.yaml "/opt/with blank/tree/a b" "/opt/with blank/tree/sub/c"'),
  ).toBe('kind: ConfigMap\nblank\ndeep\n');
  expect(world.on(worker, 'cat /opt/calls')).toBe(
    'apt-get -o DPkg::Lock::Timeout=300 install -y -- jq curl\nctr -n k8s.io images import ./image.tar\nlayers\n',
  );
  expect(world.on(master, 'cat /opt/calls; ls /opt')).toBe(
    'kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f ./net.yaml\nkind: ConfigMap\ncalls\n',
  );
  const logs = await world.cluster('logs', '-f', 'deploy.yaml', '--step', 'post.sh');
  expect(logs.out).toContain('from the package\n');
});

test('an installation that fails ends the deployment with the output of the machine; once fixed, retry continues', async () => {
  await using world = await openClusterWorld(
    hosts.map((host) => ({ ...host, folders: ['/opt', '/usr/local/bin'] })),
    'eggo',
  );
  const failing = '#!/bin/sh\necho "Unable to locate package nonesuch" >&2\nexit 100\n';
  const path = world.hosts.get(worker)?.path('/usr/local/bin/apt-get') ?? '';
  writeFileSync(path, failing);
  chmodSync(path, 0o755);
  put(world, 'deploy.yaml', `${config}addition: {worker: [{name: nonesuch, type: repo}]}\n`);
  put(world, 'mark.sh', '#!/bin/sh\necho ran >> /opt/marks\n');
  const failed = await world.cluster(...deploy, '--posthook=mark.sh,worker', '--rollback=false');
  expect(failed.code, failed.out).toBe(1);
  expect(failed.out).toMatch(
    /addition\/worker\/0 \(repo\) ended with exit code 100\n +Unable to locate package nonesuch/,
  );
  writeFileSync(path, noting);
  const retried = await world.cluster('retry', '-f', 'deploy.yaml');
  expect(retried.code, retried.out + retried.error).toBe(0);
  expect(world.on(worker, 'cat /opt/marks')).toBe('ran\n');
});
