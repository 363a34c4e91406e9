import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBoathook } from '../support/boathook.ts';
import { buildImage, processFile, type BuiltImage } from '../support/built-image.ts';
import { freshCluster, systemNamespace } from '../support/installed.ts';
import { followProgram } from '../support/program.ts';

let image: BuiltImage;

beforeAll(async () => {
  image = await buildImage();
}, 900_000);
afterAll(async () => image?.[Symbol.asyncDispose]());

test('the image is small, and has a user, labels and no more than it needs', () => {
  expect(image.compressed).toBeLessThan(90_000_000);
  expect(image.user).toBe('65532:65532');
  expect(image.labels).toMatchObject({
    'org.opencontainers.image.title': 'boathook',
    'org.opencontainers.image.licenses': 'Apache-2.0',
    'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
  });
  expect(globSync('{bin,sbin,usr/bin,usr/sbin}/*', { cwd: image.files })).toEqual(['bin/node']);
  expect(globSync('app/**/{*.test.*,testing,tests}', { cwd: image.files })).toEqual([]);
  for (const path of ['etc/ssl/certs/ca-certificates.crt', 'usr/share/zoneinfo/Europe/Berlin', 'app/LICENSE'])
    expect(existsSync(join(image.files, path)), path).toBe(true);
});

/** As a container runtime does it: the root is read-only, and what Kubernetes mounts is there. */
const start = `
set -eu
mount --bind "$1" "$1"
mount --bind "$2" "$1/var/run/secrets/kubernetes.io/serviceaccount"
mount --bind /dev "$1/dev"
mount -t proc proc "$1/proc"
mount -t tmpfs -o uid=65532,mode=0700 tmpfs "$1/data"
mount -o remount,bind,ro "$1"
root=$1
shift 2
exec chroot --userspec=65532:65532 "$root" "$@"
`;

test('the controllers run in it as its user, on a read-only root, with the token of their pod', async () => {
  await using cluster = await freshCluster();
  const printed = await runBoathook(['install', '--print']);
  await cluster.run(['apply', '-f', '-'], printed.out);
  for (const path of ['var/run/secrets/kubernetes.io/serviceaccount', 'dev', 'proc', 'data'])
    mkdirSync(join(image.files, path), { recursive: true });
  const account = join(image.folder, 'account');
  mkdirSync(account);
  const token = await cluster.run(['create', 'token', 'boathook-controller', '-n', systemNamespace]);
  writeFileSync(join(account, 'token'), token.trim());
  writeFileSync(join(account, 'ca.crt'), cluster.server.access.ca);
  writeFileSync(join(account, 'namespace'), systemNamespace);
  const { hostname, port } = new URL(cluster.server.url);
  const run = ['controller', '--data-dir=/data', '--metrics-address=127.0.0.1:0'];
  const chosen = '--controllers=hookrun,hooktemplate,gamedeployment,gamestatefulset';
  await using controllers = followProgram(
    'unshare',
    ['--mount', 'sh', '-c', start, 'sh', image.files, account, ...image.entrypoint, ...run, chosen],
    { env: { ...image.environment, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port } },
  );
  await controllers.lineLike(/^running hookrun/);
  expect(processFile(controllers.pid, 'status')).toMatch(/^Uid:\t65532\t65532\t65532\t65532$/m);
  expect(processFile(controllers.pid, 'mountinfo')).toMatch(/^\d+ \d+ \S+ \S+ \/ ro/m);
  const template = {
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookTemplate',
    metadata: { name: 'fine', namespace: 'default' },
    spec: {
      metrics: [
        { name: 'm', successCondition: 'result == "1"', provider: { web: { url: 'http://127.0.0.1:1' } } },
      ],
    },
  };
  await cluster.run(['apply', '-f', '-'], JSON.stringify(template));
  await cluster.run([
    'wait',
    '--for=condition=Valid',
    'hooktemplate/fine',
    '-n',
    'default',
    '--timeout=300s',
  ]);
});
