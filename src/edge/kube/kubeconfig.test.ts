import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { writeKubeconfig } from '#edge/kubeconfig-file.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { Secret } from '#edge/secret.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { inClusterAccess } from './in-cluster.ts';
import { kubeconfigPaths } from './kubeconfig-files.ts';
import { loadKubeconfig } from './kubeconfig.ts';

const pem = (what: string): string => `-----BEGIN ${what}-----\nabc\n-----END ${what}-----\n`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

function save(folder: string, name: string, config: Json): string {
  const path = join(folder, name);
  writeFileSync(path, printYaml(config));
  return path;
}

const config = (cluster: Json, user: Json = {}, context: Json = {}): Json => ({
  'current-context': 'here',
  clusters: [{ name: 'c', cluster }],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', ...(context as object) } }],
});

function load(cluster: Json, user?: Json, context?: Json): ReturnType<typeof loadKubeconfig> {
  using dir = tempDir();
  mkdirSync(join(dir.path, 'pki'));
  writeFileSync(join(dir.path, 'pki', 'ca.crt'), pem('CERTIFICATE'));
  writeFileSync(join(dir.path, 'pki', 'key'), pem('PRIVATE KEY'));
  return loadKubeconfig([save(dir.path, 'config', config(cluster, user, context))]);
}

const server = 'https://host:6443';

test('what we write can be read', () => {
  using dir = tempDir();
  const path = join(dir.path, 'kubeconfig');
  const client = { certificate: pem('CERTIFICATE'), key: pem('PRIVATE KEY') };
  writeKubeconfig(path, { server, ca: pem('CERTIFICATE'), client });
  const access = loadKubeconfig([path]);
  expect(access).toMatchObject({ server, ca: client.certificate, insecure: false, namespace: 'default' });
  expect(access?.user.certificate?.key.reveal()).toBe(client.key);
  expect(access?.user.login).toEqual({ type: 'none' });
});

test('no file at all is no access', () => {
  expect(loadKubeconfig(['/nowhere/config'])).toBeUndefined();
});

test.for<[string | undefined, readonly string[]]>([
  [undefined, ['/users/me/.kube/config']],
  ['', ['/users/me/.kube/config']],
  ['/a::/b', ['/a', '/b']],
])('KUBECONFIG=%s', ([value, paths]) => {
  expect(kubeconfigPaths(value, '/users/me')).toEqual(paths);
});

test('of several files the first value wins, and missing files do not count', () => {
  using dir = tempDir();
  const entry = (name: string, host: string, context: string): Json => ({
    'current-context': context,
    clusters: [{ name, cluster: { server: host } }],
    contexts: [{ name: context, context: { cluster: 'c', user: 'u', namespace: context } }],
    users: [{ name: 'u', user: { token: host } }],
  });
  const paths = [
    join(dir.path, 'missing'),
    save(dir.path, 'one', { ...(entry('other', 'https://one', 'first') as object) }),
    save(dir.path, 'two', entry('c', 'https://two', 'second')),
    save(dir.path, 'three', entry('c', 'https://three', 'third')),
  ];
  expect(loadKubeconfig(paths)).toMatchObject({ server: 'https://two', namespace: 'first' });
  expect(loadKubeconfig(paths, 'third')).toMatchObject({ server: 'https://two', namespace: 'third' });
  expect(loadKubeconfig(paths)?.user.login).toEqual({ type: 'token', token: new Secret('https://one') });
});

test('paths start at the folder of their file', () => {
  const access = load(
    { server, 'certificate-authority': 'pki/ca.crt' },
    { 'client-certificate': 'pki/ca.crt', 'client-key': 'pki/key', tokenFile: 'tokens/mine' },
  );
  expect(access?.ca).toBe(pem('CERTIFICATE'));
  expect(access?.user.certificate?.certificate).toBe(pem('CERTIFICATE'));
  expect(access?.user.login).toMatchObject({
    type: 'token-file',
    path: expect.stringMatching(/^\/.*\/tokens\/mine$/),
  });
});

const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login', interactiveMode: 'Never' };

test.for<{ name: string; user: Json; login: object }>([
  { name: 'a token', user: { token: 't', username: 'x' }, login: { type: 'token', token: new Secret('t') } },
  {
    name: 'a token file wins',
    user: { token: 't', tokenFile: '/f' },
    login: { type: 'token-file', path: '/f' },
  },
  {
    name: 'a password',
    user: { username: 'me', password: 'p' },
    login: { type: 'basic', user: 'me', password: new Secret('p') },
  },
  {
    name: 'a plugin',
    user: { exec: { ...exec, args: ['a'], env: [{ name: 'X', value: 'y' }], installHint: 'get it' } },
    login: {
      type: 'exec',
      plugin: {
        apiVersion: exec.apiVersion,
        command: 'login',
        args: ['a'],
        env: [{ name: 'X', value: 'y' }],
        interactiveMode: 'Never',
        installHint: 'get it',
        cluster: undefined,
      },
    },
  },
])('login: $name', ({ user, login }) => {
  expect(load({ server }, user)?.user.login).toEqual(login);
});

test('a plugin may be told of the cluster', () => {
  const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }];
  const cluster = { server, 'tls-server-name': 'n', extensions };
  const access = load(cluster, { exec: { ...exec, command: './bin/login', provideClusterInfo: true } });
  expect(access?.user.login).toMatchObject({
    plugin: {
      command: expect.stringMatching(/^\/.*\/bin\/login$/),
      cluster: { server, 'tls-server-name': 'n', config: { audience: 'a' } },
    },
  });
  expect(access?.serverName).toBe('n');
});

test('impersonation', () => {
  expect(load({ server }, { as: 'eve', 'as-uid': '7', 'as-groups': ['a', 'b'] })?.user.impersonate).toEqual({
    user: 'eve',
    uid: '7',
    groups: ['a', 'b'],
  });
});

const secret = 'c2VjcmV0LXNlY3JldA==';

test.for<{ name: string; cluster: Json; user?: Json; context?: Json; why: RegExp }>([
  {
    name: 'a proxy',
    cluster: { server, 'proxy-url': 'http://p' },
    why: /proxy-url, which Boathook does not support/,
  },
  { name: 'no server', cluster: {}, why: /cluster "c" needs a server/ },
  { name: 'a bad server', cluster: { server: 'host:6443' }, why: /needs a server/ },
  {
    name: 'an old provider',
    cluster: { server },
    user: { 'auth-provider': { name: 'gcp' } },
    why: /auth-provider/,
  },
  {
    name: 'no PEM',
    cluster: { server, 'certificate-authority-data': secret },
    why: /no readable PEM in certificate-authority-data/,
  },
  {
    name: 'no file',
    cluster: { server, 'certificate-authority': 'no.crt' },
    why: /no readable PEM in certificate-authority/,
  },
  {
    name: 'no key',
    cluster: { server },
    user: { 'client-certificate-data': base64(pem('CERTIFICATE')) },
    why: /not both/,
  },
  {
    name: 'a CA that is not checked',
    cluster: { server, 'insecure-skip-tls-verify': true, 'certificate-authority': 'pki/ca.crt' },
    why: /both a certificate authority and insecure/,
  },
  { name: 'an unknown user', cluster: { server }, context: { user: 'x' }, why: /names the user "x"/ },
  {
    name: 'an unknown cluster',
    cluster: { server },
    context: { cluster: 'x' },
    why: /names the cluster "x"/,
  },
  {
    name: 'an old plugin',
    cluster: { server },
    user: { exec: { ...exec, apiVersion: 'x' } },
    why: /needs one of the apiVersions/,
  },
  {
    name: 'a plugin without a mode',
    cluster: { server },
    user: { exec: { ...exec, interactiveMode: null } },
    why: /needs an interactiveMode/,
  },
  {
    name: 'a plugin without a command',
    cluster: { server },
    user: { exec: { ...exec, command: '' } },
    why: /no command/,
  },
])('refused: $name', ({ cluster, user, context, why }) => {
  const read = (): unknown => load(cluster, { password: 'my-secret', ...(user as object) }, context);
  expect(read).toThrow(expect.objectContaining({ name: 'KubeconfigInvalid' }));
  expect(read).toThrow(why);
  expect(read).not.toThrow(/secret|c2Vj/);
});

test('a broken file is named, its content is not', () => {
  using dir = tempDir();
  const path = join(dir.path, 'config');
  writeFileSync(path, 'users:\n- token: "hunter2\n  x');
  expect(() => loadKubeconfig([path])).toThrow(path);
  expect(() => loadKubeconfig([path])).not.toThrow(/hunter2/);
  expect(() => loadKubeconfig([save(dir.path, 'empty', { clusters: [] })])).toThrow(/no current context/);
  expect(() => loadKubeconfig([save(dir.path, 'other', config({ server }))], 'there')).toThrow(
    /no context "there"/,
  );
});

test('a pod finds its own cluster, and only a pod does', () => {
  using dir = tempDir();
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
  expect(inClusterAccess(env, dir.path)).toBeUndefined();
  for (const [name, content] of Object.entries({
    'ca.crt': pem('CERTIFICATE'),
    token: 't',
    namespace: 'mine\n',
  })) {
    writeFileSync(join(dir.path, name), content);
  }
  expect(inClusterAccess({}, dir.path)).toBeUndefined();
  expect(inClusterAccess(env, dir.path)).toMatchObject({
    server: 'https://[fd00::1]:443',
    ca: pem('CERTIFICATE'),
    namespace: 'mine',
    user: { login: { type: 'token-file', path: join(dir.path, 'token') } },
  });
});
