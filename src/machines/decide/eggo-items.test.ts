import { describe, expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { compileEggo } from './eggo.ts';
import { checkItems } from './item-sources.ts';
import { noInstaller } from './commands-installer.ts';
import type { OperationKind, SourceFact } from './model.ts';
import { stepsOf, type MachinePlan } from './plan.ts';
import { planOperation } from './plan-operation.ts';
import { planJson } from './print-plan.ts';
import { problemText } from './problem.ts';
import { factsOf, folder, script } from './testing/facts.ts';

const file = '/srv/deploy.yaml';
const document = (addition: Json, more: object = {}): Json => ({
  'cluster-id': 'harbour',
  password: 'secret',
  masters: [{ name: 'm1', ip: '192.0.2.1' }],
  workers: [
    { name: 'w1', ip: '192.0.2.2' },
    { name: 'w2', ip: '192.0.2.3', arch: 'arm64' },
  ],
  install: { 'package-source': { srcpath: { amd64: '/pkg/amd64.tar.gz', arm64: '/pkg/arm64' } }, addition },
  ...more,
});
const compile = (value: Json) => compileEggo(value, file, { agent: false, home: '/people/me' });

const sources: Readonly<Record<string, SourceFact>> = {
  '/pkg/amd64.tar.gz!/bin/tool': script('amd64', 0o644),
  '/pkg/arm64/bin/tool': script('arm64', 0o644),
  '/pkg/amd64.tar.gz!/pkg': folder({ 'conntrack-1.deb': script('c1'), 'other.deb': script('o') }),
  '/pkg/arm64/pkg': folder({ 'conntrack-1.deb': script('c2') }),
  '/srv/pause.tar': script('image'),
  '/srv/net.yaml': script('kind: ConfigMap'),
  '/srv/tool.conf': script('conf', 0o600),
  '/srv/tree': folder({ a: script('a'), sub: folder({ b: script('b') }) }),
};

function planOf(
  addition: Json,
  operation: OperationKind = 'cluster.create',
  nodes: readonly string[] = [],
): MachinePlan {
  const declaration = compile(document(addition));
  expect(declaration.problems).toEqual([]);
  const facts = factsOf(sources);
  return planOperation({
    operation,
    declaration,
    facts,
    nodes,
    installer: noInstaller,
    parallel: 5,
    force: false,
  });
}

const outline = (plan: MachinePlan): readonly string[] =>
  plan.stages.flatMap(({ id, steps }) =>
    steps.map(
      (step) =>
        `${id}: ${step.title} on ${step.targets.map(({ node }) => node).join(' ')}` +
        (step.kind === 'files' ? `: ${step.files.map(({ dst }) => dst).join(' ')}` : '') +
        (step.kind === 'install' ? `: ${step.argv.join(' ')}` : ''),
    ),
  );

const shell = { name: 'x.sh', type: 'shell', schedule: 'prejoin' };

describe('packages, files and manifests of addition', () => {
  test('are installed on the machines of their role before all hooks, manifests when the cluster is up', () => {
    const plan = planOf({
      master: [
        { name: 'jq, curl', type: 'repo' },
        { name: 'net.yaml', type: 'yaml' },
      ],
      worker: [
        { name: 'conntrack', type: 'pkg' },
        { name: 'pause.tar', type: 'image' },
        { name: 'tool', type: 'bin', dst: '/usr/local/bin' },
        { name: 'tool.conf', type: 'file', dst: '/etc/tool' },
        { name: 'tree', type: 'dir', dst: '/opt' },
      ],
    });
    expect(outline(plan)).toEqual([
      'addition: install/addition/master/0 (repo) on m1: jq curl',
      'addition: install/addition/worker/0 (pkg) on w1: ./conntrack-1.deb',
      'addition: install/addition/worker/0 (pkg) on w2: ./conntrack-1.deb',
      'addition: install/addition/worker/1 (image) on w1 w2: - ./pause.tar',
      'addition: install/addition/worker/2 (bin) on w1: /usr/local/bin/tool',
      'addition: install/addition/worker/2 (bin) on w2: /usr/local/bin/tool',
      'addition: install/addition/worker/3 (file) on w1 w2: /etc/tool/tool.conf',
      'addition: install/addition/worker/4 (dir) on w1 w2: /opt/tree/a /opt/tree/sub/b',
      'addons: install/addition/master/1 (yaml) on m1: ./net.yaml',
    ]);
    expect(new Set(stepsOf(plan).map(({ id }) => id)).size).toBe(stepsOf(plan).length);
    const binaries = stepsOf(plan).flatMap((step) => (step.kind === 'files' ? step.files : []));
    expect(binaries.map(({ mode }) => mode.toString(8)).slice(0, 2)).toEqual(['755', '755']);
    expect(JSON.stringify(planJson(plan))).toContain('"files":[{"name":"pause.tar"');
  });

  test('are installed on machines that join, manifests not again', () => {
    const items = { worker: [{ name: 'jq', type: 'repo' }], master: [{ name: 'net.yaml', type: 'yaml' }] };
    expect(outline(planOf(items, 'node.join', ['w1']))).toEqual([
      'join: install/addition/worker/0 (repo) on w1: jq',
    ]);
  });

  test('keep to a schedule that they are given', () => {
    const items = { worker: [{ name: 'jq', type: 'repo', schedule: 'postjoin' }] };
    expect(outline(planOf(items))).toEqual(['node-post: install/addition/worker/0 (repo) on w1 w2: jq']);
  });

  test('stay when the cluster is removed, with a notice', () => {
    const plan = planOf({ worker: [{ name: 'jq', type: 'repo' }] }, 'cluster.delete');
    expect(plan.stages).toEqual([]);
    expect(plan.notes.map(({ message }) => message)).toEqual([
      '/install/addition/worker/0 (repo jq) stays on the machines: a script with schedule postcleanup may remove it',
    ]);
  });

  test('are tried again after an interruption: installing twice does no harm', () => {
    for (const { policy } of stepsOf(planOf({ worker: [{ name: 'jq', type: 'repo' }] })))
      expect(policy).toMatchObject({ onUnknown: 'rerun', onFailure: 'abort' });
  });
});

test.for<[string, Json, RegExp]>([
  ['an option for a name', { name: '-o x', type: 'repo' }, /"-o x" begins with a hyphen/],
  ['a command for a package', { name: 'jq;reboot', type: 'repo' }, /"jq;reboot" is not a package name/],
  ['a way out of the package', { name: '../../etc/shadow', type: 'file', dst: '/x' }, /leaves its folder/],
  ['a line break', { name: 'a\nb', type: 'bin', dst: '/x' }, /control character/],
  ['a URL that is no manifest', { name: 'https://192.0.2.9/x', type: 'pkg' }, /only manifests/],
  ['no destination', { name: 'tool', type: 'bin' }, /\/0\/dst: dst is required for type bin/],
  ['a relative destination', { name: 'tool', type: 'dir', dst: 'x' }, /"x" must be an absolute path/],
  ['an unknown schedule', { name: 'jq', type: 'repo', schedule: 'later' }, /unknown schedule "later"/],
])('%s is refused by its place', ([, item, says]) => {
  const texts = compile(document({ worker: [item] })).problems.map(problemText);
  expect(texts).toHaveLength(1);
  expect(texts[0]).toMatch(says);
});

test.for<[string, Json, string]>([
  [
    'a binary that one architecture lacks',
    { name: 'only', type: 'bin', dst: '/x' },
    'only is not found for arm64: /srv/only does not exist, /pkg/arm64/bin/only does not exist',
  ],
  [
    'a folder that is listed as a file',
    { name: 'tree', type: 'file', dst: '/x' },
    '/srv/tree is a folder: its type is dir',
  ],
  [
    'a file that is listed as a folder',
    { name: 'net.yaml', type: 'dir', dst: '/x' },
    '/srv/net.yaml is a file: its type is file',
  ],
])('%s is refused before any machine is contacted', ([, item, says]) => {
  const { bindings, cluster } = compile(document({ worker: [item] }));
  const facts = factsOf({ ...sources, '/pkg/amd64.tar.gz!/bin/only': script('x') });
  expect(checkItems(bindings, cluster, facts).map(problemText)).toEqual([
    `/srv/deploy.yaml: /install/addition/worker/0/name: ${says}`,
  ]);
});

test('a manifest of the web is applied from there', () => {
  const plan = planOf({ master: [{ name: 'https://192.0.2.9/net.yaml', type: 'yaml' }] });
  expect(outline(plan)).toEqual([
    'addons: install/addition/master/0 (yaml) on m1: https://192.0.2.9/net.yaml',
  ]);
});

test('whatever has no effect is named, one by one, with what that means', () => {
  const { notes } = compile(
    document(
      { worker: [{ name: 'net.yaml', type: 'yaml', dst: '/x', colour: 'red' }, shell] },
      {
        runtime: 'iSulad',
        'etcd-external': false,
        'open-ports': { worker: [{ port: 111, protocol: 'tcp' }] },
        network: { podcidr: '10.244.0.0/16', plugin: 'calico', pluginargs: { NetworkYamlPath: '/x' } },
        etcds: [{ name: 'e1', ip: '192.0.2.7' }],
        loadbalance: { ip: '192.0.2.8', 'bind-port': 8443 },
        masters: [{ name: 'm1', ip: '192.0.2.1', rack: 'r1' }],
        clusterid: 'x',
      },
    ),
  );
  const told = (start: string): readonly string[] =>
    notes
      .filter(({ message }) => message.startsWith(`${start} `))
      .map(({ type, message }) => `${type}: ${message}`);
  expect(told('/runtime')).toEqual([expect.stringMatching(/^notice: .*no container runtime is installed/)]);
  expect(told('/open-ports')).toEqual([expect.stringMatching(/no firewall is changed/)]);
  expect(told('/network/plugin')).toEqual([expect.stringMatching(/no network plugin is installed/)]);
  expect(told('/network/pluginargs')).toHaveLength(1);
  expect(told('/etcds/0')).toEqual([expect.stringMatching(/gets hooks and additions only/)]);
  expect(told('/loadbalance')).toEqual([expect.stringMatching(/no load balancer is set up/)]);
  expect(told('/masters/0/rack')).toEqual([expect.stringMatching(/^warning: .*has this field/)]);
  expect(told('/clusterid')).toEqual([expect.stringMatching(/^warning: /)]);
  expect(told('/install/addition/worker/0/colour')).toEqual([expect.stringMatching(/^warning: /)]);
  expect(told('/install/addition/worker/0/dst')).toEqual([expect.stringMatching(/no effect for type yaml/)]);
  expect(told('/install/addition/worker/0/type')).toEqual([
    expect.stringMatching(/once, on the first master/),
  ]);
  expect(notes).toHaveLength(11);
});

test("eggo's own lists: each item that is not installed is named", () => {
  const lists = {
    'kubernetes-worker': [shell, { name: 'kubelet', type: 'pkg' }],
    container: [{ name: 'iSulad', type: 'pkg' }],
  };
  const { notes } = compile(document({}, { install: lists }));
  expect(notes.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^\/install\/kubernetes-worker\/1 \(pkg kubelet\) has no effect/),
    expect.stringMatching(/^\/install\/container\/0 \(pkg iSulad\) has no effect/),
  ]);
});
