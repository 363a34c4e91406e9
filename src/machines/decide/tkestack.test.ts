import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, isObject, type Json } from '#base/json.ts';
import { seconds } from '#base/time.ts';
import { declaredFeatures } from './testing/declared.ts';
import type { SourceFact } from './model.ts';
import { problemText } from './problem.ts';
import { factsOf, folder, script } from './testing/facts.ts';
import { firstExample, secondExample } from './testing/seeds.ts';
import { tkestackHookTypes } from './tkestack-hooks.ts';
import { compileTkestack, tkestackSources } from './tkestack.ts';

const file = '/etc/tke/cluster.yaml';
const hooks: Readonly<Record<string, SourceFact>> = {
  '/etc/tke/hooks/pre-install': script(),
  '/etc/tke/hooks/post-install': script(),
  '/etc/tke/hooks/pre': folder({ 'pre-install': script(), 'cluster-pre-install': script() }),
  '/etc/tke/hooks/post': folder({ 'post-install': script(), 'cluster-post-install': script() }),
};
const usual = { agent: false, force: false };

const compile = (documents: readonly Json[], options = usual, sources = hooks) =>
  compileTkestack([{ file, documents }], factsOf(sources), options);

/** A copy with one value changed; undefined removes it. */
function changed(document: Json, path: readonly (string | number)[], value: Json | undefined): Json {
  const copy = structuredClone(document) as Record<string, unknown>;
  let place: Record<string, unknown> = copy;
  for (const key of path.slice(0, -1)) place = (place[String(key)] ??= {}) as Record<string, unknown>;
  const last = String(path.at(-1));
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy as Json;
}

describe('the first example', () => {
  const { cluster, bindings, files, problems } = compile([firstExample()]);

  test('has no problem', () => expect(problems).toEqual([]));

  test('is a cluster of one master, with its password by reference', () => {
    expect(cluster).toMatchObject({
      id: expect.stringMatching(/^cls-[0-9a-f]{8}$/),
      version: '1.14.10',
      podCidr: '10.244.0.0/16',
      endpoint: { host: '1.2.3.4', port: 6443 },
    });
    expect(cluster.nodes).toEqual([
      {
        name: '1.2.3.4',
        address: '1.2.3.4',
        port: 22,
        roles: ['master', 'etcd'],
        login: {
          user: 'root',
          sudo: false,
          methods: [
            {
              type: 'password',
              password: { type: 'document', file, pointer: '/spec/machines/0/password', encoding: 'base64' },
            },
          ],
        },
        origin: { file, pointer: '/spec/machines/0' },
      },
    ]);
    expect(JSON.stringify([cluster, bindings, files])).not.toContain('MTIzNDU2');
  });

  test('counts its sources from the folder of the file', () => {
    expect(files.map(({ src, dst }) => [src, dst])).toEqual([
      ['/etc/tke/hooks/pre-install', '/tmp/hooks/pre-install'],
      ['/etc/tke/hooks/post-install', '/tmp/hooks/post-install'],
    ]);
    expect(tkestackSources([{ file, documents: [firstExample()] }])).toEqual(files.map(({ src }) => src));
  });

  test('binds both hooks to creation and joining, on every node', () => {
    expect(
      bindings.map(({ name, operations, point, scope }) => ({ name, operations, point, scope })),
    ).toEqual([
      {
        name: 'PreInstall',
        operations: ['cluster.create', 'node.join'],
        point: 'pre',
        scope: { type: 'each' },
      },
      {
        name: 'PostInstall',
        operations: ['cluster.create', 'node.join'],
        point: 'post',
        scope: { type: 'each' },
      },
    ]);
  });

  test('has the same name whenever it is read, and another from another place', () => {
    expect(compile([firstExample()]).cluster.id).toBe(cluster.id);
    const other = compileTkestack([{ file: '/x', documents: [firstExample()] }], factsOf(hooks), usual);
    expect(other.cluster.id).not.toBe(cluster.id);
  });
});

describe('the second example', () => {
  const { bindings, problems } = compile([secondExample]);

  test('has no problem', () => expect(problems).toEqual([]));

  test('passes annotations, then labels, to cluster hooks only', () => {
    const argv = Object.fromEntries(bindings.map(({ name, action }) => [name, action.argv]));
    const pairs = ['node.alpha.kubernetes.io/test=hello', 'location=xa'];
    expect(argv).toEqual({
      PreInstall: [],
      PostInstall: [],
      PreClusterInstall: pairs,
      PostClusterInstall: pairs,
    });
  });
});

test('arguments are sorted by key, whole, and without what kubectl adds', () => {
  const metadata = {
    labels: { b: 'two words; reboot', a: '1' },
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': '{"password":"sentinel"}',
      z: '1',
      A: '2',
    },
  };
  const { bindings } = compile([changed(secondExample, ['metadata'], metadata)]);
  expect(bindings.find(({ name }) => name === 'PreClusterInstall')?.action.argv).toEqual([
    'A=2',
    'z=1',
    'a=1',
    'b=two words; reboot',
  ]);
  expect(JSON.stringify(bindings)).not.toContain('sentinel');
});

test.for(tkestackHookTypes.flatMap((type) => [type, `Hook${type}`]))('%s is a hook type', (key) => {
  const document = changed(secondExample, ['spec', 'features', 'hooks'], {
    [key]: '/tmp/hooks/pre/pre-install',
  });
  const { bindings, problems } = compile([document]);
  expect(problems).toEqual([]);
  const name = key.replace(/^Hook/, '');
  expect(bindings).toMatchObject([{ name, condition: `Ensure${name}Hook`, origin: { file } }]);
  expect(bindings[0]?.scope.type).toBe(name.includes('Cluster') ? 'once' : 'each');
});

test('the ten are ten', () => expect(tkestackHookTypes).toHaveLength(10));

test.for([
  ['/tmp/hooks/pre/pre-install', [], '/tmp/hooks/pre/pre-install'],
  ['/tmp/hooks/pre/pre-install --fast  twice', ['--fast', 'twice'], '/tmp/hooks/pre/pre-install'],
  ['/tmp/hooks/pre/../pre/pre-install x', ['x'], '/tmp/hooks/pre/../pre/pre-install'],
] as const)('the command %s', ([command, argv, path]) => {
  const document = changed(secondExample, ['spec', 'features', 'hooks'], { PreInstall: command });
  expect(compile([document])).toMatchObject({ problems: [], bindings: [{ action: { path, argv } }] });
});

test('a destination may contain a blank', () => {
  const document = changed(firstExample(), ['spec', 'features'], {
    files: [{ src: 'hooks/pre-install', dst: '/tmp/my hooks/a b' }],
    hooks: { PreInstall: '/tmp/my hooks/a b -v' },
  });
  expect(compile([document])).toMatchObject({
    problems: [],
    bindings: [{ action: { path: '/tmp/my hooks/a b', argv: ['-v'] } }],
  });
});

const features = ['spec', 'features'] as const;
const machine = ['spec', 'machines', 0] as const;

test.for<{ name: string; path: readonly (string | number)[]; value: Json | undefined; says: RegExp }>([
  {
    name: 'files that are no list',
    path: ['spec', 'features', 'files'],
    value: { src: 'hooks/pre', dst: '/tmp/x' },
    says: /\/spec\/features\/files: must be a list/,
  },
  {
    name: 'recursive that is a text',
    path: ['spec', 'features', 'files', 0, 'recursive'],
    value: 'yes',
    says: /\/files\/0\/recursive: must be true or false/,
  },
  {
    name: 'labels that are no map',
    path: ['metadata', 'labels'],
    value: ['a'],
    says: /\/metadata\/labels: must be a map/,
  },
  {
    name: 'a destination with a NUL',
    path: ['spec', 'features', 'files', 0, 'dst'],
    value: '/tmp/a\0b',
    says: /\/files\/0\/dst: a path must not contain/,
  },
  {
    name: 'a folder where another entry brings a file',
    path: ['spec', 'features', 'files', 2],
    value: { src: 'hooks/pre', dst: '/tmp/hooks/post/post-install' },
    says: /\/files\/2\/dst: \/tmp\/hooks\/post\/post-install\/.* needs a folder where that entry copies a file/,
  },
  {
    name: 'an unknown hook type',
    path: [...features, 'hooks', 'PreInstal'],
    value: '/tmp/hooks/pre/pre-install',
    says: /^\/etc\/tke\/cluster\.yaml: \/spec\/features\/hooks\/PreInstal: unknown hook type "PreInstal"\. Valid values: PreInstall, PostInstall, .*PostClusterDelete$/,
  },
  {
    name: 'a prototype for a hook type',
    path: [...features, 'hooks', 'constructor'],
    value: '/tmp/hooks/pre/pre-install',
    says: /hooks\/constructor: unknown hook type/,
  },
  {
    name: 'both spellings of one type',
    path: [...features, 'hooks', 'HookPreInstall'],
    value: '/tmp/hooks/pre/pre-install',
    says: /HookPreInstall: the hook type PreInstall is given twice/,
  },
  {
    name: 'hooks that are a list',
    path: [...features, 'hooks'],
    value: ['PreInstall'],
    says: /features\/hooks: hooks must be a map/,
  },
  {
    name: 'a hook without a command',
    path: [...features, 'hooks', 'PreInstall'],
    value: ' ',
    says: /hooks\/PreInstall: must be the path/,
  },
  {
    name: 'a script that no entry delivers',
    path: [...features, 'hooks', 'PreInstall'],
    value: '/tmp/hooks/pre-install',
    says: /hooks\/PreInstall: "\/tmp\/hooks\/pre-install" is not delivered by spec\.features\.files/,
  },
  {
    name: 'a script one level too deep',
    path: [...features, 'hooks', 'PreInstall'],
    value: '/tmp/hooks/pre/sub/pre-install',
    says: /is not delivered/,
  },
  {
    name: 'a missing source',
    path: [...features, 'files', 0, 'src'],
    value: 'hooks/gone',
    says: /\/spec\/features\/files\/0\/src: the source \/etc\/tke\/hooks\/gone does not exist/,
  },
  {
    name: 'no source',
    path: [...features, 'files', 0, 'src'],
    value: undefined,
    says: /files\/0\/src: src is required/,
  },
  {
    name: 'no destination',
    path: [...features, 'files', 1, 'dst'],
    value: '',
    says: /files\/1\/dst: dst is required/,
  },
  {
    name: 'a relative destination',
    path: [...features, 'files', 1, 'dst'],
    value: 'tmp/hooks/post',
    says: /files\/1\/dst: "tmp\/hooks\/post" must be an absolute path/,
  },
  {
    name: 'one destination twice',
    path: [...features, 'files', 1, 'dst'],
    value: '/tmp/./hooks/pre/',
    says: /files\/1\/dst: .* is also the destination of \/spec\/features\/files\/0/,
  },
  { name: 'no address', path: [...machine, 'ip'], value: undefined, says: /machines\/0\/ip: ip is required/ },
  {
    name: 'a name for an address',
    path: [...machine, 'ip'],
    value: 'host',
    says: /"host" is not an IP address/,
  },
  { name: 'port 0', path: [...machine, 'port'], value: 0, says: /machines\/0\/port: 0 is not a port/ },
  { name: 'a port as text', path: [...machine, 'port'], value: '22', says: /port: "22" is not a port/ },
  {
    name: 'no way to log in',
    path: [...machine, 'password'],
    value: undefined,
    says: /machines\/0\/password: password or privateKey is required/,
  },
  {
    name: 'a password in plain text',
    path: [...machine, 'password'],
    value: 'sentinel!',
    says: /machines\/0\/password: password must be in base64/,
  },
  {
    name: 'a key that is no fingerprint',
    path: [...machine, 'hostKey'],
    value: 'aa:bb',
    says: /machines\/0\/hostKey: must be a fingerprint/,
  },
  {
    name: 'a proxy of another kind',
    path: [...machine, 'proxy'],
    value: { type: 'SOCKS5', ip: '10.0.0.1' },
    says: /machines\/0\/proxy\/type: .*"SOCKS5" is not supported\. Valid values: SSHJumpServer/,
  },
  {
    name: 'a proxy without a login',
    path: [...machine, 'proxy'],
    value: { type: 'SSHJumpServer', ip: '10.0.0.1' },
    says: /machines\/0\/proxy\/password: password or privateKey is required/,
  },
  { name: 'no machines', path: ['spec', 'machines'], value: [], says: /spec\/machines: at least one/ },
  {
    name: 'a machine twice',
    path: ['spec', 'machines', 1],
    value: { ip: '10.0.0.9', password: 'YQ==' },
    says: /machines\/1: the machine 10\.0\.0\.9.* is listed twice, first at \/spec\/machines\/0/,
  },
  {
    name: 'no CIDR',
    path: ['spec', 'clusterCIDR'],
    value: '10.0.0.0',
    says: /clusterCIDR: .* is not a CIDR/,
  },
  {
    name: 'another type',
    path: ['spec', 'type'],
    value: 'Imported',
    says: /type: .*Valid values: Baremetal, Edge/,
  },
  { name: 'another kind', path: ['kind'], value: 'Pod', says: /\/kind: "Pod" of .* is not known here/ },
])('$name is refused by its place', ({ path, value, says }) => {
  const texts = compile([changed(secondExample, path, value)]).problems.map(problemText);
  expect(texts.filter((text) => says.test(text))).toHaveLength(1);
  expect(texts.join()).not.toContain('sentinel');
});

test('a value in the lines that base64 prints is a value', () => {
  const value = `${'YWJj'.repeat(19)}\n${'YWJj'.repeat(3)}YQ==\n`;
  const wrapped = changed(secondExample, [...machine, 'privateKey'], value);
  expect(compile([wrapped]).problems).toEqual([]);
});

test('a file that another entry brings with its folder is refused', () => {
  const entry = { src: 'own', dst: '/tmp/hooks/pre/pre-install' };
  const document = changed(secondExample, ['spec', 'features', 'files', 2], entry);
  const { problems } = compile([document], usual, { ...hooks, '/etc/tke/own': script('#!/bin/sh\nother') });
  expect(problems.map(problemText)).toEqual([
    expect.stringMatching(/\/files\/2\/dst: \/tmp\/hooks\/pre\/pre-install is also copied by .*\/files\/0,/),
  ]);
});

test.for([
  ['a device', { type: 'refused', what: 'a device' }, /src: the source .* is a device/],
  [
    'a folder with a socket',
    folder({ x: { type: 'refused', what: 'a socket' } }),
    /hooks\/pre\/x is a socket/,
  ],
  ['a folder with a dead link', folder({ x: { type: 'missing' } }), /hooks\/pre\/x does not exist/],
] as const)('%s is refused', ([, fact, says]) => {
  const { problems } = compile([secondExample], usual, { ...hooks, '/etc/tke/hooks/pre': fact });
  expect(problems.map(problemText).join('\n')).toMatch(says);
});

test('a link is followed and reported', () => {
  const linked = { ...script(), linkTo: '/srv/real' };
  const { notes, problems } = compile([firstExample()], usual, {
    ...hooks,
    '/etc/tke/hooks/pre-install': linked,
  });
  expect(problems).toEqual([]);
  expect(notes).toMatchObject([{ type: 'notice', message: expect.stringContaining('link to /srv/real') }]);
});

test('Machines of the same file are workers, and pointers count documents', () => {
  const worker: Json = {
    apiVersion: 'platform.tkestack.io/v1',
    kind: 'Machine',
    metadata: { name: 'mc-1' },
    spec: { ip: '10.0.0.10', clusterName: 'cls-x', privateKey: 'a2V5', passPhrase: 'cA==', username: 'ops' },
  };
  const named = changed(secondExample, ['metadata', 'name'], 'cls-x');
  const { cluster, problems, bindings } = compile([named, worker]);
  expect(problems).toEqual([]);
  expect(cluster.nodes[1]).toMatchObject({
    name: 'mc-1',
    address: '10.0.0.10',
    roles: ['worker'],
    login: {
      user: 'ops',
      sudo: true,
      methods: [
        {
          type: 'privateKey',
          key: { pointer: '/1/spec/privateKey' },
          passphrase: { pointer: '/1/spec/passPhrase' },
        },
      ],
    },
  });
  expect(bindings[0]?.origin.pointer).toBe('/0/spec/features/hooks/PreInstall');
  const stranger = compile([changed(secondExample, ['metadata', 'name'], 'cls-y'), worker]);
  expect(stranger.problems.map(problemText).join()).toContain('belongs to "cls-x", not to "cls-y"');
});

test('steps named in skipConditions are skipped and reported', () => {
  const document = changed(secondExample, [...features, 'skipConditions'], ['EnsurePreInstallHook']);
  const { bindings, notes } = compile([document]);
  expect(bindings.map(({ name }) => name)).not.toContain('PreInstall');
  expect(notes).toMatchObject([{ message: '1 hook is skipped by skipConditions' }]);
});

test('an agent logs in where the file has no secret', () => {
  const document = changed(secondExample, [...machine, 'password'], undefined);
  const { cluster, problems } = compile([document], { ...usual, agent: true });
  expect(problems).toEqual([]);
  expect(cluster.nodes[0]?.login.methods).toEqual([{ type: 'agent' }]);
});

test('force lets deletion pass failing hooks, and nothing else', () => {
  const all = Object.fromEntries(tkestackHookTypes.map((type) => [type, '/tmp/hooks/pre/pre-install']));
  const document = changed(secondExample, [...features, 'hooks'], all);
  const { bindings } = compileTkestack([{ file, documents: [document] }], factsOf(hooks), {
    ...usual,
    force: true,
    timeout: seconds(5),
  });
  for (const { name, policies } of bindings)
    for (const policy of Object.values(policies))
      expect(policy).toMatchObject({
        onFailure: name.endsWith('Delete') ? 'ignore' : 'retry',
        timeout: 5000,
        onUnknown: 'rerun',
      });
});

test('compiling loses nothing: files and hooks come back as they were written', () => {
  const sourced = fc.constantFrom('hooks/pre', 'hooks/post');
  const entries = fc.uniqueArray(fc.record({ src: sourced, dst: fc.stringMatching(/^\/[a-z]{1,8}$/) }), {
    minLength: 1,
    selector: ({ dst }) => dst,
  });
  const keys = fc.uniqueArray(fc.constantFrom(...tkestackHookTypes), { minLength: 1 });
  fc.assert(
    fc.property(
      entries,
      keys,
      fc.boolean(),
      fc.stringMatching(/^( -?[a-z]+)*$/),
      (files, types, prefix, args) => {
        const script = `${files[0]?.dst}/${files[0]?.src === 'hooks/pre' ? 'pre-install' : 'post-install'}`;
        const declared = Object.fromEntries(
          types.map((type) => [`${prefix ? 'Hook' : ''}${type}`, script + args]),
        );
        const document = changed(secondExample, features, { files, hooks: declared });
        const result = compile([document]);
        expect(result.problems).toEqual([]);
        expect(declaredFeatures(result)).toEqual({ files, hooks: declared });
      },
    ),
  );
});

test('with any file, compiling returns a result', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('spec', 'metadata', 'kind'), (value, key) => {
      const document = changed(secondExample, [key], value as Json);
      const { problems, cluster } = compile([document]);
      expect(isObject(at(document, 'spec')) ? true : problems.length > 0).toBe(true);
      expect(cluster.format).toBe('tkestack');
    }),
  );
});
