import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { declaredAddition } from './testing/declared.ts';
import { compileEggo, eggoSources, isEggo } from './eggo.ts';
import { problemText } from './problem.ts';
import { eggoExample } from './testing/seeds.ts';

const file = '/srv/deploy.yaml';
const login = { agent: false, home: '/people/me' };
const compile = (document: Json, options: Parameters<typeof compileEggo>[2] = login) =>
  compileEggo(document, file, options);

function changed(path: readonly string[], value: Json | undefined): Json {
  const copy = structuredClone(eggoExample) as Record<string, unknown>;
  let place: Record<string, unknown> = copy;
  for (const key of path.slice(0, -1)) place = (place[key] ??= {}) as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy as Json;
}

describe('the example', () => {
  const { cluster, bindings, problems } = compile(eggoExample);

  test('has no problem and is recognised', () => {
    expect(problems).toEqual([]);
    expect(isEggo(eggoExample)).toBe(true);
    expect(isEggo({ kind: 'Pod' })).toBe(false);
  });

  test('merges the roles of one address', () => {
    expect(cluster.nodes.map(({ name, roles }) => [name, roles])).toEqual([
      ['m1', ['master']],
      ['m2', ['master', 'worker']],
      ['w1', ['worker']],
      ['e1', ['etcd']],
      ['lb', ['loadbalance']],
    ]);
  });

  test('takes the load balancer for the endpoint', () => {
    expect(cluster.endpoint).toEqual({ host: '10.0.0.5', port: 8443 });
    expect(cluster.configDir).toBe('/etc/kubernetes');
  });

  test('keeps its password by reference', () => {
    expect(cluster.nodes[0]?.login).toEqual({
      user: 'root',
      sudo: false,
      methods: [
        { type: 'password', password: { type: 'document', file, pointer: '/password', encoding: 'plain' } },
      ],
    });
    expect(JSON.stringify([cluster, bindings])).not.toContain('123456');
  });

  test('binds items to their role, with 30 s by default', () => {
    expect(bindings).toMatchObject([
      {
        name: 'install/addition/master/0',
        operations: ['cluster.create', 'node.join'],
        point: 'pre',
        scope: { type: 'each', roles: ['master'] },
        policies: {
          'cluster.create': { timeout: 30_000, onFailure: 'abort', onUnknown: 'fail' },
          'node.join': { timeout: 30_000, onFailure: 'isolate-node', onUnknown: 'fail' },
        },
        origin: { file, pointer: '/install/addition/master/0' },
      },
      { point: 'post', scope: { type: 'each', roles: ['worker'] } },
    ]);
  });

  test('looks for scripts beside the file, then in the packages', () => {
    expect(eggoSources(eggoExample, file).slice(0, 3)).toEqual([
      '/srv/prejoin.sh',
      '/pkg/a.tar.gz!/file/prejoin.sh',
      '/pkg/folder/file/prejoin.sh',
    ]);
  });
});

test('without etcds the masters run etcd', () => {
  const { cluster } = compile(changed(['etcds'], undefined));
  expect(cluster.nodes[0]?.roles).toEqual(['master', 'etcd']);
});

test.for<[string, readonly string[], Json, { host: string; port: number }]>([
  ['as given', ['apiserver-endpoint'], 'api.example.com:7443', { host: 'api.example.com', port: 7443 }],
  ['the first master', ['loadbalance'], null, { host: '10.0.0.1', port: 6443 }],
])('the endpoint: %s', ([, path, value, endpoint]) => {
  expect(compile(changed(path, value)).cluster.endpoint).toEqual(endpoint);
});

test.for<{ name: string; login: Json; options?: Parameters<typeof compileEggo>[2]; methods: unknown[] }>([
  {
    name: 'a key by its path',
    login: { 'private-key-path': '/k' },
    methods: [{ type: 'privateKey', key: { type: 'file', path: '/k' } }],
  },
  {
    name: 'a key in the home folder',
    login: { 'private-key-path': '~/.ssh/x' },
    methods: [{ type: 'privateKey', key: { type: 'file', path: '/people/me/.ssh/x' } }],
  },
  {
    name: 'the usual key by default',
    login: {},
    options: { ...login, defaultKey: '/people/me/.ssh/id_rsa' },
    methods: [{ type: 'privateKey', key: { type: 'file', path: '/people/me/.ssh/id_rsa' } }],
  },
  {
    name: 'an agent first',
    login: { password: 'x' },
    options: { ...login, agent: true },
    methods: [{ type: 'agent' }, { type: 'password' }],
  },
])('login: $name', ({ login: entry, options, methods }) => {
  const document = { ...(changed(['password'], undefined) as object), ...(entry as object) } as Json;
  const { cluster, problems } = compile(document, options ?? login);
  expect(problems).toEqual([]);
  expect(cluster.nodes[0]?.login.methods).toMatchObject(methods);
  expect(cluster.nodes[0]?.login.methods).toHaveLength(methods.length);
});

const shell = { name: 'x.sh', type: 'shell', schedule: 'prejoin' };

test.for<{ name: string; item: Json; timeout: number }>([
  { name: 'TimeOut', item: { ...shell, TimeOut: '5s' }, timeout: 5000 },
  { name: 'timeout', item: { ...shell, timeout: '1m30s' }, timeout: 90_000 },
  { name: 'neither', item: shell, timeout: 30_000 },
])('the time limit: $name', ({ item, timeout }) => {
  const { bindings, problems } = compile(changed(['addition'], { etcd: [item] }));
  expect(problems).toEqual([]);
  expect(bindings.find(({ name }) => name === 'addition/etcd/0')?.policies['cluster.create']?.timeout).toBe(
    timeout,
  );
});

test.for([
  ['prejoin', ['cluster.create', 'node.join'], 'pre'],
  ['postjoin', ['cluster.create', 'node.join'], 'post'],
  ['precleanup', ['cluster.delete', 'node.delete'], 'pre'],
  ['postcleanup', ['cluster.delete', 'node.delete'], 'post'],
] as const)('schedule %s', ([schedule, operations, point]) => {
  const { bindings } = compile(changed(['addition'], { loadbalance: [{ ...shell, schedule }] }));
  const found = bindings.find(({ name }) => name === 'addition/loadbalance/0');
  expect(found).toMatchObject({ operations, point, scope: { roles: ['loadbalance'] } });
  if (operations[0] === 'cluster.delete')
    expect(found?.policies['node.delete']).toMatchObject({ onFailure: 'ignore', onUnknown: 'rerun' });
});

test('a list of names is several scripts', () => {
  const items = [{ ...shell, name: 'a.sh, b.sh' }];
  const { bindings } = compile(changed(['addition'], { worker: items }));
  const own = bindings.filter(({ name }) => name.startsWith('addition/'));
  expect(own.map(({ name }) => name)).toEqual(['addition/worker/0/0', 'addition/worker/0/1']);
});

test("shell items in eggo's own package lists count as well", () => {
  const { bindings } = compile(
    changed(['install', 'kubernetes-worker'], [shell, { name: 'kubelet', type: 'pkg' }]),
  );
  expect(bindings.find(({ name }) => name === 'install/kubernetes-worker/0')?.scope).toEqual({
    type: 'each',
    roles: ['worker'],
  });
});

test.for<{ name: string; path: readonly string[]; value: Json | undefined; says: RegExp }>([
  {
    name: 'an unknown role',
    path: ['addition', 'node'],
    value: [],
    says: /^\/srv\/deploy\.yaml: \/addition\/node: unknown role "node"\. Valid values: master, worker, etcd, loadbalance$/,
  },
  {
    name: 'an unknown schedule',
    path: ['addition', 'master'],
    value: [{ ...shell, schedule: 'before' }],
    says: /\/addition\/master\/0\/schedule: unknown schedule "before"\. Valid values: prejoin, postjoin, precleanup, postcleanup$/,
  },
  {
    name: 'no schedule',
    path: ['addition', 'master'],
    value: [{ name: 'x', type: 'shell' }],
    says: /schedule is required.*Valid values: prejoin/,
  },
  {
    name: 'an unknown type',
    path: ['addition', 'master'],
    value: [{ name: 'x', type: 'script' }],
    says: /master\/0\/type: unknown type "script"\. Valid values: .*shell/,
  },
  {
    name: 'no name',
    path: ['addition', 'master'],
    value: [{ ...shell, name: '' }],
    says: /master\/0\/name: name is required/,
  },
  {
    name: 'a time limit of nothing',
    path: ['addition', 'master'],
    value: [{ ...shell, TimeOut: '0' }],
    says: /master\/0\/TimeOut: "0" is not a time limit/,
  },
  {
    name: 'a time limit without a unit',
    path: ['addition', 'master'],
    value: [{ ...shell, timeout: 30 }],
    says: /master\/0\/timeout: 30 is not a time limit/,
  },
  { name: 'items that are no list', path: ['addition', 'master'], value: {}, says: /must be a list/ },
  { name: 'additions that are no map', path: ['addition'], value: [], says: /\/addition: must be a map/ },
  { name: 'no master', path: ['masters'], value: [], says: /\/masters: at least one master/ },
  {
    name: 'no login',
    path: ['password'],
    value: undefined,
    says: /\/password: password or private-key-path/,
  },
  { name: 'a relative key', path: ['private-key-path'], value: 'k', says: /private-key-path: "k" must be/ },
  { name: 'a bad id', path: ['cluster-id'], value: 'A_B', says: /\/cluster-id: "A_B" is not a name/ },
  {
    name: 'a bad endpoint',
    path: ['apiserver-endpoint'],
    value: 'x',
    says: /endpoint: "x" must be host:port/,
  },
  { name: 'a bad CIDR', path: ['service', 'cidr'], value: 'x', says: /\/service\/cidr: "x" is not a CIDR/ },
  {
    name: 'a relative config folder',
    path: ['cluster-config-dir'],
    value: 'x',
    says: /must be an absolute path/,
  },
  {
    name: 'a bad address',
    path: ['workers'],
    value: [{ ip: 'x' }],
    says: /\/workers\/0\/ip: "x" is not an IP/,
  },
  {
    name: 'a bad port',
    path: ['workers'],
    value: [{ ip: '1.1.1.1', port: 70_000 }],
    says: /workers\/0\/port/,
  },
  {
    name: 'a bad name',
    path: ['workers'],
    value: [{ ip: '1.1.1.1', name: 'W_1' }],
    says: /\/workers\/0\/name: "W_1" is not a host name/,
  },
  {
    name: 'one address under two names',
    path: ['workers'],
    value: [{ ip: '10.0.0.1', name: 'w9' }],
    says: /\/workers\/0: the same address as \/masters\/0, but another name/,
  },
  {
    name: 'one name for two addresses',
    path: ['workers'],
    value: [{ ip: '10.0.0.77', name: 'm1' }],
    says: /\/workers\/0: the same name as \/masters\/0/,
  },
  {
    name: 'one address twice in a list',
    path: ['workers'],
    value: [{ ip: '10.0.0.7' }, { ip: '10.0.0.7' }],
    says: /\/workers\/1: the same address as \/workers\/0/,
  },
  {
    name: 'a load balancer without its port',
    path: ['loadbalance'],
    value: { ip: '10.0.0.5' },
    says: /\/loadbalance\/bind-port: bind-port is required/,
  },
  {
    name: 'a load balancer without its address',
    path: ['loadbalance'],
    value: { name: 'lb', 'bind-port': 8443 },
    says: /\/loadbalance\/ip: ip is required/,
  },
  {
    name: 'a list that is a map',
    path: ['workers'],
    value: { ip: '1.1.1.1' },
    says: /\/workers: must be a list of nodes/,
  },
  {
    name: 'a password that YAML reads as a number',
    path: ['password'],
    value: 123_456,
    says: /\/password: must be a string: put it in quotes$/,
  },
  { name: 'a jump host that is a text', path: ['jump-host'], value: 'x', says: /\/jump-host: must be a map/ },
  {
    name: 'a jump host without an address',
    path: ['jump-host'],
    value: { username: 'x' },
    says: /\/jump-host\/ip: ip is required/,
  },
])('$name is refused by its place', ({ path, value, says }) => {
  const texts = compile(changed(path, value)).problems.map(problemText);
  expect(texts.filter((text) => says.test(text))).toHaveLength(1);
});

test('compiling loses nothing: shell items come back as they were written', () => {
  const item = fc.record(
    {
      name: fc.stringMatching(/^[a-z]{1,6}\.sh$/),
      type: fc.constant('shell'),
      schedule: fc.constantFrom('prejoin', 'postjoin', 'precleanup', 'postcleanup'),
      TimeOut: fc.constantFrom('5s', '1m30s', '500ms'),
    },
    { requiredKeys: ['name', 'type', 'schedule'] },
  );
  const lists = fc.dictionary(
    fc.constantFrom('master', 'worker', 'etcd', 'loadbalance'),
    fc.array(item, { minLength: 1, maxLength: 4 }),
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(lists, fc.boolean(), (addition, top) => {
      const path = top ? ['addition'] : ['install', 'addition'];
      const { bindings, problems } = compile(changed(path, addition));
      expect(problems).toEqual([]);
      expect(declaredAddition(bindings, `/${path.join('/')}`)).toEqual(addition);
    }),
  );
});

test('with any file, compiling returns a result', () => {
  const keys = ['masters', 'workers', 'addition', 'loadbalance', 'install', 'network', 'password'];
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...keys), (value, key) => {
      expect(compile(changed([key], value as Json)).cluster.format).toBe('eggo');
    }),
  );
});
