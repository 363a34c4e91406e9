import { describe, expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { textWidth } from '#base/text-width.ts';
import { bindBootstrap } from './bootstrap-hooks.ts';
import { commandsInstaller, noInstaller } from './commands-installer.ts';
import { conditionsOf } from './conditions.ts';
import { compileEggo } from './eggo.ts';
import { bindFlags, type HookFlag } from './hook-flags.ts';
import { kubeadmInstaller } from './kubeadm/installer.ts';
import type { Binding, OperationKind } from './model.ts';
import { nodesOf, stepsOf, type JobStep, type MachinePlan } from './plan.ts';
import { planOperation, type PlanRequest } from './plan-operation.ts';
import { digestsOf, planJson, planOutline, planTable } from './print-plan.ts';
import { advance, nothingYet, replay } from './progress.ts';
import { factsOf, folder, script } from './testing/facts.ts';
import { eggoExample, secondExample } from './testing/seeds.ts';
import { compileTkestack } from './tkestack.ts';

const facts = factsOf({
  '/t/hooks/pre': folder({
    'pre-install': script('#!/bin/sh\n1'),
    'cluster-pre-install': script(),
    'data.txt': script('x', 0o640),
  }),
  '/t/hooks/post': folder({ 'post-install': script(), 'cluster-post-install': script() }),
  '/e/prejoin.sh': script(),
  '/e/postjoin.sh': script(),
  '/e/x.sh': script('#!/bin/sh\nx'),
  '/e/d': folder({ 'b.sh': script(), 'a.sh': script(), 'readme.txt': script('no') }),
  '/b/hooks/pre-install': script(),
  '/b/hooks/post-cluster-ready': script(),
  '/b/hooks/post-install': script(),
  '/c/init': script('#!/bin/sh\ninit'),
  '/c/join-worker': script('#!/bin/sh\njoin'),
  '/c/platform': script('#!/bin/sh\nplatform'),
});

const worker = (number: number): Json => ({
  apiVersion: 'platform.tkestack.io/v1',
  kind: 'Machine',
  metadata: { name: `mc-${number}` },
  spec: { ip: `10.0.0.${number}`, password: 'YQ==' },
});

const script1 = '/tmp/hooks/pre/pre-install';
const allTen = ['Install', 'Upgrade', 'ClusterInstall', 'ClusterUpgrade', 'ClusterDelete']
  .flatMap((what) => [`Pre${what}`, `Post${what}`])
  .map((type) => [type, script1] as const);

function tkestack(hooks: Json = Object.fromEntries(allTen)) {
  const document = structuredClone(secondExample) as {
    spec: { features: { hooks: Json }; machines: Json[] };
  };
  document.spec.features.hooks = hooks;
  document.spec.machines.push({ ip: '10.0.0.8', password: 'YQ==' });
  const documents = [document, worker(20), worker(21)];
  return compileTkestack([{ file: '/t/c.yaml', documents }], facts, { agent: false, force: false });
}

function eggo(flags: readonly HookFlag[] = [], operation: OperationKind = 'cluster.create') {
  const declaration = compileEggo(eggoExample, '/e/deploy.yaml', { agent: false, home: '/people/me' });
  const bound = bindFlags(flags, { folder: '/e', operation });
  return { ...declaration, bindings: [...bound.bindings, ...declaration.bindings] };
}

const plan = (operation: OperationKind, request: Partial<PlanRequest> = {}): MachinePlan =>
  planOperation({
    operation,
    declaration: tkestack(),
    facts,
    nodes: [],
    installer: noInstaller,
    parallel: 20,
    force: false,
    ...request,
  });

/** `stage: step on nodes`. */
const outline = ({ stages }: MachinePlan): readonly string[] =>
  stages.flatMap(({ id, steps }) =>
    steps.map(({ title, targets }) => `${id}: ${title} on ${targets.map(({ node }) => node).join(' ')}`),
  );

const all = '10.0.0.9 10.0.0.8 mc-20 mc-21';

describe('the order of hooks and steps', () => {
  test('cluster.create', () => {
    expect(outline(plan('cluster.create'))).toEqual([
      `files: files on ${all}`,
      'cluster-pre: PreClusterInstall on 10.0.0.9',
      `node-pre: PreInstall on ${all}`,
      `node-post: PostInstall on ${all}`,
      'cluster-post: PostClusterInstall on 10.0.0.9',
    ]);
  });

  test('cluster.upgrade: node after node, masters first, files before', () => {
    const each = (node: string): readonly string[] => [
      `${node}/node-pre: PreUpgrade on ${node}`,
      `${node}/node-post: PostUpgrade on ${node}`,
    ];
    expect(outline(plan('cluster.upgrade'))).toEqual([
      `files: files on ${all}`,
      'cluster-pre: PreClusterUpgrade on 10.0.0.9',
      ...all.split(' ').flatMap(each),
      'cluster-post: PostClusterUpgrade on 10.0.0.9',
    ]);
  });

  test('cluster.delete: scripts go last', () => {
    expect(outline(plan('cluster.delete'))).toEqual([
      `files: files on ${all}`,
      'cluster-pre: PreClusterDelete on 10.0.0.9',
      'cluster-post: PostClusterDelete on 10.0.0.9',
      `remove: remove scripts on ${all}`,
    ]);
  });

  test('node.join: files, pre and post on the new node, in one stage, so that no node waits for another', () => {
    const joined = plan('node.join', { nodes: ['mc-20', 'mc-21'] });
    expect(outline(joined)).toEqual([
      'join: files on mc-20 mc-21',
      'join: PreInstall on mc-20 mc-21',
      'join: PostInstall on mc-20 mc-21',
    ]);
    expect(joined.onUnreachable).toBe('isolate-node');
  });

  test('node.upgrade of one node', () => {
    expect(outline(plan('node.upgrade', { nodes: ['mc-21'] }))).toEqual([
      'files: files on mc-21',
      'mc-21/node-pre: PreUpgrade on mc-21',
      'mc-21/node-post: PostUpgrade on mc-21',
    ]);
  });

  test('eggo: flags stand outside items, before and after', () => {
    const flags: readonly HookFlag[] = [
      { name: 'prehook', value: '/e/x.sh,master' },
      { name: 'cluster-prehook', value: '/e/d' },
      { name: 'cluster-posthook', value: '/e/x.sh' },
      { name: 'posthook', value: '/e/x.sh,worker' },
    ];
    expect(outline(plan('cluster.create', { declaration: eggo(flags) }))).toEqual([
      'cluster-pre: cluster-prehook/a.sh on m1',
      'cluster-pre: cluster-prehook/b.sh on m1',
      'node-pre: prehook/x.sh on m1 m2',
      'node-pre: install/addition/master/0/prejoin.sh on m1 m2',
      'node-post: install/addition/worker/0/postjoin.sh on m2 w1',
      'node-post: posthook/x.sh on m2 w1',
      'cluster-post: cluster-posthook/x.sh on m1',
    ]);
  });

  test('bootstrap: its three hooks here, around the whole creation', () => {
    const declaration = eggo();
    const bindings: readonly Binding[] = [...bindBootstrap('/b/hooks', undefined), ...declaration.bindings];
    const made = plan('bootstrap', {
      declaration: { ...declaration, bindings },
      installer: commandsInstaller('/c', facts),
    });
    expect(outline(made)).toEqual([
      'local-pre: pre-install on @local',
      'node-pre: install/addition/master/0/prejoin.sh on m1 m2',
      'install/init: init on m1',
      'install/join-workers: join-worker on w1',
      'node-post: install/addition/worker/0/postjoin.sh on m2 w1',
      'kubeconfig: fetch-kubeconfig on m1',
      'local-ready: post-cluster-ready on @local',
      'platform/platform: platform on @local',
      'local-post: post-install on @local',
    ]);
    expect(nodesOf(made)).toEqual(['m1', 'm2', 'w1']);
    expect(stepsOf(made)[0]).toMatchObject({
      cwd: '/b',
      policy: { retry: { initial: 10_000, cap: 10_000 } },
    });
    const given = stepsOf(made).filter(
      (step) => step.kind === 'hook' && step.envNames.includes('KUBECONFIG') && step.attachments.length === 1,
    );
    expect(given.map(({ title }) => title)).toEqual(['post-cluster-ready', 'post-install']);
    const bare = plan('bootstrap', { declaration: { ...declaration, bindings }, installer: noInstaller });
    expect(JSON.stringify(bare), 'nobody has made a cluster').not.toContain('KUBECONFIG');
  });
});

describe('kubeadm between the hooks', () => {
  const kubeadm = kubeadmInstaller('/crds');
  test('creation', () => {
    expect(outline(plan('cluster.create', { declaration: tkestack({}), installer: kubeadm }))).toEqual([
      ...all.split(' ').map((node) => `install/identify: identify on ${node}`),
      `files: files on ${all}`,
      ...all.split(' ').map((node) => `install/check: check on ${node}`),
      'install/init: init on 10.0.0.9',
      'install/kubeconfig: fetch-kubeconfig on 10.0.0.9',
      'install/kubeconfig: fetch-ca.crt on 10.0.0.9',
      'install/invite: invite on 10.0.0.9',
      'install/invite: fetch-ca.crt on 10.0.0.9',
      'install/join-master/10.0.0.8: join-master on 10.0.0.8',
      'install/join-workers: join-worker on mc-20',
      'install/join-workers: join-worker on mc-21',
      'install/complete: complete on 10.0.0.9',
    ]);
  });

  test('joining: the first master invites, then each node joins independently', () => {
    expect(outline(plan('node.join', { installer: kubeadm, nodes: ['mc-20'] }))).toEqual([
      'install/identify: identify on 10.0.0.9',
      'install/identify: identify on mc-20',
      'install/invite: invite on 10.0.0.9',
      'install/invite: fetch-ca.crt on 10.0.0.9',
      'join: files on mc-20',
      'join: PreInstall on mc-20',
      'join: check on mc-20',
      'join: join-worker on mc-20',
      'join: PostInstall on mc-20',
    ]);
  });

  test('an upgrade: the post hook runs before the node gets work again', () => {
    const upgraded = outline(plan('cluster.upgrade', { installer: kubeadm }));
    expect(upgraded.slice(0, 9)).toEqual([
      `files: files on ${all}`,
      'cluster-pre: PreClusterUpgrade on 10.0.0.9',
      'install/plan-upgrade: plan-upgrade on 10.0.0.9',
      '10.0.0.9/node-pre: PreUpgrade on 10.0.0.9',
      '10.0.0.9/drain: drain on 10.0.0.9',
      '10.0.0.9/upgrade: upgrade-first on 10.0.0.9',
      '10.0.0.9/node-post: PostUpgrade on 10.0.0.9',
      '10.0.0.9/uncordon: uncordon on 10.0.0.9',
      '10.0.0.8/node-pre: PreUpgrade on 10.0.0.8',
    ]);
    expect(upgraded).toContain('mc-21/drain: drain on 10.0.0.9');
    expect(upgraded).toContain('mc-21/upgrade: upgrade on mc-21');
    const drain = stepsOf(plan('cluster.upgrade', { installer: kubeadm })).find(({ id }) =>
      id.startsWith('mc-21/drain'),
    );
    expect(drain).toMatchObject({ argv: ['mc-21', '--delete-local-data'] });
  });

  test('removal: workers, then masters, the first one last', () => {
    expect(outline(plan('cluster.delete', { declaration: tkestack({}), installer: kubeadm }))).toEqual([
      'install/reset-workers: reset on mc-20',
      'install/reset-workers: reset on mc-21',
      'install/reset-master/10.0.0.8: reset on 10.0.0.8',
      'install/reset-first: reset on 10.0.0.9',
    ]);
    expect(outline(plan('node.delete', { installer: kubeadm, nodes: ['mc-20'] }))).toEqual([
      'install/drain: drain on 10.0.0.9',
      'install/reset: reset on mc-20',
      'install/forget: forget on 10.0.0.9',
      'remove: remove scripts on mc-20',
    ]);
  });

  test('machines with only etcd or a load balancer are left alone', () => {
    const nodes = nodesOf(plan('cluster.create', { declaration: eggo(), installer: kubeadm }));
    expect(nodes).toEqual(['m1', 'm2', 'w1']);
  });
});

test('files: scripts of hooks for their owner only, others with the mode of their source', () => {
  const [step] = stepsOf(plan('cluster.create'));
  expect(step?.kind === 'files' && step.files.map(({ dst, mode }) => [dst, mode.toString(8)])).toEqual([
    ['/tmp/hooks/pre/cluster-pre-install', '755'],
    ['/tmp/hooks/pre/data.txt', '640'],
    ['/tmp/hooks/pre/pre-install', '700'],
    ['/tmp/hooks/post/cluster-post-install', '755'],
    ['/tmp/hooks/post/post-install', '755'],
  ]);
});

test('an operation without hooks sends no files', () => {
  expect(outline(plan('cluster.upgrade', { declaration: tkestack({ PreInstall: script1 }) }))).toEqual([]);
});

const jobs = (made: MachinePlan): readonly JobStep[] =>
  stepsOf(made).filter((step): step is JobStep => step.kind === 'hook' || step.kind === 'install');

const environment = (step: JobStep | undefined, node: string): Readonly<Record<string, string>> => {
  const target = step?.targets.find((each) => each.node === node);
  return Object.fromEntries(
    (step?.envNames ?? []).map((name, at) => {
      const piece = target?.env[at];
      return [name, piece?.type === 'text' ? piece.text : piece?.type === 'node' ? `<${piece.fact}>` : ''];
    }),
  );
};

test('eggo hooks see the nine variables, TKEStack hooks do not', () => {
  const flags: readonly HookFlag[] = [{ name: 'prehook', value: '/e/x.sh,master' }];
  const [hook] = jobs(plan('cluster.create', { declaration: eggo(flags) }));
  expect(environment(hook, 'm2')).toMatchObject({
    EGGO_CLUSTER_ID: 'k8s-cluster',
    EGGO_CLUSTER_API_ENDPOINT: '10.0.0.5:8443',
    EGGO_CLUSTER_CONFIG_DIR: '/etc/kubernetes',
    EGGO_NODE_IP: '10.0.0.2',
    EGGO_NODE_NAME: 'm2',
    // Not in the file: it is read from the node.
    EGGO_NODE_ARCH: '<arch>',
    EGGO_NODE_ROLE: 'master,worker',
    EGGO_HOOK_TYPE: 'prehook',
    EGGO_OPERATOR: 'deploy',
    BOATHOOK_OPERATION: 'cluster.create',
    BOATHOOK_POINT: 'pre',
    BOATHOOK_SCOPE: 'node',
  });
  expect(environment(hook, 'm1')['EGGO_NODE_ARCH']).toBe('arm64');
  const [tke] = jobs(plan('cluster.create'));
  expect(tke?.envNames.filter((name) => !name.startsWith('BOATHOOK_'))).toEqual([]);
  expect(environment(tke, '10.0.0.9')).toMatchObject({
    BOATHOOK_SCOPE: 'cluster',
    BOATHOOK_NODE_ROLES: 'master,etcd',
  });
});

test.for<[OperationKind, string]>([
  ['cluster.create', 'deploy'],
  ['cluster.delete', 'cleanup'],
  ['node.join', 'join'],
  ['node.delete', 'delete'],
])('EGGO_OPERATOR during %s is %s', ([operation, operator]) => {
  const flags: readonly HookFlag[] = [{ name: 'posthook', value: '/e/x.sh,worker' }];
  const made = plan(operation, { declaration: eggo(flags, operation), nodes: ['w1'] });
  const hook = jobs(made).find(({ title }) => title === 'posthook/x.sh');
  expect(environment(hook, 'w1')).toMatchObject({ EGGO_OPERATOR: operator, EGGO_HOOK_TYPE: 'posthook' });
});

test('a flag that fits no node is a warning', () => {
  const flags: readonly HookFlag[] = [{ name: 'prehook', value: '/e/x.sh,master' }];
  const made = plan('node.join', { declaration: eggo(flags, 'node.join'), nodes: ['w1'] });
  expect(made.notes).toContainEqual(
    expect.objectContaining({ type: 'warning', message: expect.stringContaining('matches no node') }),
  );
  expect(outline(made)).toEqual(['join: install/addition/worker/0/postjoin.sh on w1']);
});

test.for<[OperationKind, boolean, string]>([
  ['cluster.create', true, 'refuse'],
  ['cluster.delete', false, 'refuse'],
  ['cluster.delete', true, 'isolate-node'],
  ['node.delete', true, 'isolate-node'],
  ['node.join', false, 'isolate-node'],
  ['cluster.upgrade', true, 'refuse'],
])('unreachable at the start of %s, force %s: %s', ([operation, force, expected]) => {
  expect(plan(operation, { force, nodes: ['mc-20'] }).onUnreachable).toBe(expected);
});

test('ids are unique, stable, and the fingerprint follows script, arguments and environment', () => {
  for (const operation of ['cluster.create', 'cluster.upgrade', 'cluster.delete', 'node.join'] as const) {
    const installer = kubeadmInstaller('/crds');
    const made = plan(operation, { installer, nodes: ['mc-20', 'mc-21'] });
    const ids = stepsOf(made).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(plan(operation, { installer, nodes: ['mc-20', 'mc-21'] })).toEqual(made);
  }
  const prints = (declaration: PlanRequest['declaration']): readonly string[] =>
    jobs(plan('cluster.create', { declaration })).flatMap(({ targets }) =>
      targets.map(({ fingerprint }) => fingerprint),
    );
  const before = prints(tkestack({ PreInstall: script1 }));
  expect(new Set(before).size).toBe(before.length);
  expect(prints(tkestack({ PreInstall: `${script1} x` }))).not.toEqual(before);
});

describe('printing', () => {
  const made = plan('cluster.create');
  test('a line for each step and node, names of variables but no values', () => {
    const text = planTable(made);
    const [heading = '', ...lines] = text.trimEnd().split('\n');
    expect(heading.split(/\s+/)).toEqual([
      'STEP',
      'WHAT',
      'NODE',
      'DIGEST',
      'TIMEOUT',
      'POLICY',
      'ARGUMENTS',
      'NOTE',
      'ENVIRONMENT',
    ]);
    expect(lines.filter((line) => line.startsWith('node-pre/PreInstall'))).toHaveLength(4);
    expect(lines.find((line) => line.startsWith('cluster-pre/'))).toMatch(
      /node\.alpha\.kubernetes\.io\/test=hello location=xa .*BOATHOOK_CLUSTER,/,
    );
    expect(text).not.toContain('master,etcd');
  });

  test('in short: a line for each step, no wider than the terminal', () => {
    const [heading, ...lines] = planOutline(made).trimEnd().split('\n');
    expect(heading).toBe(`Plan: cluster.create of ${made.cluster}`);
    expect(lines).toHaveLength(stepsOf(made).length);
    expect(lines.find((line) => line.startsWith('  node-pre/PreInstall'))).toMatch(/\S {2,}10\.0\.0\.9, /);
    const [, ...narrow] = planOutline(made, 30).trimEnd().split('\n');
    expect(narrow).toHaveLength(lines.length);
    expect(narrow.filter((line) => textWidth(line) > 30)).toEqual([]);
  });

  test('JSON has the same, and no value of a variable', () => {
    const json = JSON.stringify(planJson(made));
    expect(JSON.parse(json)).toMatchObject({ operation: 'cluster.create', parallel: 20 });
    expect(json).not.toContain('master,etcd');
    expect(json).not.toContain('"text"');
  });

  test('what has changed or run before is marked', () => {
    const digests = new Map([...digestsOf(made), ['/tmp/hooks/pre/pre-install', 'sha256:0123456789abcdef']]);
    const text = planTable(made, { digests, done: new Set(['cluster-pre/PreClusterInstall@10.0.0.9']) });
    const line = (start: string): string => text.split('\n').find((each) => each.startsWith(start)) ?? '';
    expect(line('node-pre/PreInstall')).toContain('was 0123456789ab');
    expect(line('cluster-pre/PreClusterInstall')).toContain('has run before');
    expect(line('cluster-post/')).not.toContain('has run before');
  });

  test('arguments are quoted where a shell would split them', () => {
    const declaration = tkestack({ PreClusterInstall: script1 });
    const bindings = declaration.bindings.map((binding) => ({
      ...binding,
      action: { ...binding.action, argv: ["it's; reboot"] },
    }));
    expect(planTable(plan('cluster.create', { declaration: { ...declaration, bindings } }))).toContain(
      `'it'\\''s; reboot'`,
    );
  });
});

test('conditions: waiting, done, failed', () => {
  const made = plan('cluster.create');
  expect(conditionsOf(made, nothingYet).map(({ type, status, reason }) => [type, status, reason])).toEqual([
    ['EnsureCopyFiles', 'Unknown', 'Waiting'],
    ['EnsurePreClusterInstallHook', 'Unknown', 'Waiting'],
    ['EnsurePreInstallHook', 'Unknown', 'Waiting'],
    ['EnsurePostInstallHook', 'Unknown', 'Waiting'],
    ['EnsurePostClusterInstallHook', 'Unknown', 'Waiting'],
  ]);
  const at = 0 as never;
  const progress = replay([
    ...all.split(' ').map((node) => ({
      type: 'result' as const,
      at,
      step: 'files/copy',
      node,
      attempt: 1,
      outcome: { type: 'succeeded' as const },
    })),
    {
      type: 'result',
      at,
      step: 'cluster-pre/PreClusterInstall',
      node: '10.0.0.9',
      attempt: 1,
      outcome: { type: 'failed', exit: 7, message: `10.0.0.9: exit 7 ${'x'.repeat(2000)}` },
    },
  ]);
  const [files, hook] = conditionsOf(made, progress);
  expect(files).toMatchObject({ status: 'True', reason: '' });
  expect(hook).toMatchObject({
    status: 'False',
    reason: 'FailedInit',
    message: expect.stringContaining('exit 7'),
  });
  expect(hook?.message.length).toBeLessThanOrEqual(1024);
  const step = { step: 'cluster-pre/PreClusterInstall', node: '10.0.0.9', attempt: 2 };
  const again = advance(progress, { type: 'staging', at, ...step });
  expect(conditionsOf(made, again)[1], 'it hangs there until it succeeds').toEqual(hook);
  const done = advance(again, { type: 'result', at, ...step, outcome: { type: 'succeeded' } });
  expect(conditionsOf(made, done)[1]).toMatchObject({ status: 'True' });
});
