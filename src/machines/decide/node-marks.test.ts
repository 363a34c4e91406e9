import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { commandsInstaller, noInstaller } from './commands-installer.ts';
import { conditionsOf } from './conditions.ts';
import type { Installer } from './installer.ts';
import { kubeadmInstaller } from './kubeadm/installer.ts';
import type { OperationKind } from './model.ts';
import { stepsOf, type JobStep, type MachinePlan } from './plan.ts';
import { planOperation } from './plan-operation.ts';
import { problemText } from './problem.ts';
import { nothingYet } from './progress.ts';
import { factsOf, script } from './testing/facts.ts';
import { compileTkestack } from './tkestack.ts';

const facts = factsOf({ '/t/h': script(), '/c/init': script(), '/c/mark': script('#!/bin/sh\nmark') });
const kubeadm = kubeadmInstaller('/crds');

const first: JsonObject = { labels: { zone: 'b', 'example.com/disk': '' } };
const worker: JsonObject = {
  taints: [
    { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
    { key: 'gpu', effect: 'NoExecute' },
  ],
  labels: { tier: 'back' },
};

type Given = { readonly master?: JsonObject; readonly worker?: JsonObject; readonly features?: JsonObject };

function declare({ master = {}, worker: own = {}, features = {} }: Given) {
  const about = (kind: string, name: string, spec: Json): Json => ({
    apiVersion: 'platform.tkestack.io/v1',
    kind,
    metadata: { name },
    spec,
  });
  const files = [{ src: 'h', dst: '/h' }];
  const hooks = { PreInstall: '/h', PostInstall: '/h', PreUpgrade: '/h' };
  const machines = [
    { ip: '10.0.0.1', password: 'YQ==', ...master },
    { ip: '10.0.0.2', password: 'YQ==' },
  ];
  const documents = [
    about('Cluster', 'cls-1', { version: '1.30.2', machines, features: { files, hooks, ...features } }),
    about('Machine', 'mc-1', { ip: '10.0.0.3', password: 'YQ==', ...own }),
    about('Machine', 'mc-2', { ip: '10.0.0.4', password: 'YQ==' }),
  ];
  return compileTkestack([{ file: '/t/c.yaml', documents }], facts, { agent: false, force: false });
}

function plan(operation: OperationKind, given: Given, installer: Installer = kubeadm): MachinePlan {
  const nodes = operation.startsWith('node.') ? ['mc-1', 'mc-2'] : [];
  const declaration = declare(given);
  expect(declaration.problems).toEqual([]);
  return planOperation({ operation, declaration, facts, nodes, installer, parallel: 5, force: false });
}

const outline = ({ stages }: MachinePlan): readonly string[] =>
  stages.flatMap(({ id, steps }) =>
    steps.map(({ title, targets }) => `${id}: ${title} on ${targets.map(({ node }) => node).join(' ')}`),
  );
const marks = (made: MachinePlan): readonly JobStep[] =>
  stepsOf(made).filter((step): step is JobStep => step.kind === 'install' && step.title === 'mark');
const without = (made: MachinePlan): readonly string[] =>
  outline(made).filter((line) => !line.includes(': mark '));
const noted = ({ notes }: MachinePlan): readonly string[] =>
  notes.map(({ message }) => message).filter((message) => !message.startsWith('no time limit'));

describe('labels and taints', () => {
  test('are put on by the first master, when all have joined and before any post hook', () => {
    const made = plan('cluster.create', { master: first, worker });
    const lines = outline(made);
    const at = lines.indexOf('install/mark: mark on 10.0.0.1');
    expect(lines.slice(at - 1, at + 3)).toEqual([
      'install/join-workers: join-worker on mc-2',
      'install/mark: mark on 10.0.0.1',
      'install/mark: mark on 10.0.0.1',
      'node-post: PostInstall on 10.0.0.1 10.0.0.2 mc-1 mc-2',
    ]);
    expect(marks(made).map(({ argv, about, condition }) => [about, condition, ...argv])).toEqual([
      ['10.0.0.1', 'EnsureMarkControlPlane', '10.0.0.1', 'example.com/disk=', 'zone=b'],
      ['mc-1', 'EnsureMarkNode', 'mc-1', 'tier=back', 'gpu=yes:NoSchedule', 'gpu:NoExecute'],
    ]);
    expect(conditionsOf(made, nothingYet).map(({ type }) => type)).toContain('EnsureMarkNode');
  });

  test('of a node that joins: between its join and its post hook', () => {
    const lines = outline(plan('node.join', { worker }));
    expect(lines.slice(lines.indexOf('join: join-worker on mc-1'))).toEqual([
      'join: join-worker on mc-1',
      'join: mark on 10.0.0.1',
      'join: check on mc-2',
      'join: join-worker on mc-2',
      'join: PostInstall on mc-1 mc-2',
    ]);
  });

  test.for<OperationKind>([
    'cluster.create',
    'node.join',
    'cluster.upgrade',
    'cluster.delete',
    'node.delete',
  ])('%s: nothing else in the plan differs', (operation) => {
    expect(without(plan(operation, { master: first, worker }))).toEqual(outline(plan(operation, {})));
    expect(marks(plan(operation, { master: { labels: {}, taints: null }, worker: { taints: [] } }))).toEqual(
      [],
    );
  });

  test('are variables for a script of your own', () => {
    const [mark] = marks(plan('node.join', { worker }, commandsInstaller('/c', facts)));
    expect(mark).toMatchObject({
      argv: ['mc-1', '10.0.0.3'],
      about: 'mc-1',
      condition: 'EnsureMarkNode',
      targets: [{ node: '10.0.0.1' }],
    });
    const env = (mark?.envNames ?? []).map((name, at) => [name, mark?.targets[0]?.env[at]]);
    expect(Object.fromEntries(env)).toMatchObject({
      BOATHOOK_LABELS: { text: 'tier=back' },
      BOATHOOK_TAINTS: { text: 'gpu=yes:NoSchedule gpu:NoExecute' },
      BOATHOOK_NODE: { text: '10.0.0.1' },
    });
    const [changed] = marks(
      plan('node.join', { worker: { labels: { tier: 'front' } } }, commandsInstaller('/c', facts)),
    );
    expect(changed?.targets[0]?.fingerprint).not.toBe(mark?.targets[0]?.fingerprint);
  });

  test.for<readonly [string, Installer]>([
    ['none', noInstaller],
    ['commands', commandsInstaller('/empty', facts)],
  ])('cause a notice when no step sets them: installer %s', ([name, installer]) => {
    const message = `labels and taints of mc-1 are not set: installer ${name} has no step for it`;
    expect(noted(plan('node.join', { worker }, installer))).toEqual([message]);
    expect(noted(plan('node.delete', { worker }, installer))).toEqual([]);
    expect(noted(plan('node.join', { worker }))).toEqual([]);
  });

  test('are skipped by skipConditions, by TKEStack’s names of the step', () => {
    const skipping = (...skipConditions: string[]) =>
      marks(plan('cluster.create', { master: first, worker, features: { skipConditions } })).map(
        ({ about }) => about,
      );
    expect(skipping('EnsureMarkNode')).toEqual(['10.0.0.1']);
    expect(skipping('EnsureMarkControlPlane')).toEqual(['mc-1']);
    expect(skipping('EnsureKubelet')).toEqual(['10.0.0.1', 'mc-1']);
  });
});

test.for<readonly [JsonObject, string]>([
  [{ labels: { 'a b': 'c' } }, '/spec/labels/a b: the key name part must consist of'],
  [{ labels: { 'x.io/-rm': 'c' } }, '/spec/labels/x.io~1-rm: the key name part must consist of'],
  [{ labels: { a: '$(reboot)' } }, '/spec/labels/a: the value'],
  [{ labels: { a: 'two words' } }, '/spec/labels/a: the value'],
  [{ labels: { a: true } }, '/spec/labels/a: the value must be a string: put it in quotes'],
  [{ labels: { a: null } }, '/spec/labels/a: the value must be a string'],
  [{ labels: ['a=b'] }, '/spec/labels: must be a map'],
  [{ taints: { gpu: 'yes' } }, '/spec/taints: must be a list'],
  [{ taints: ['gpu=yes:NoSchedule'] }, '/spec/taints/0/key: the key name part must be non-empty'],
  [{ taints: [{ key: 'a;b', effect: 'NoSchedule' }] }, '/spec/taints/0/key: the key'],
  [{ taints: [{ key: 'a', value: 'x y', effect: 'NoSchedule' }] }, '/spec/taints/0/value: the value'],
  [
    { taints: [{ key: 'a', value: 1, effect: 'NoSchedule' }] },
    '/spec/taints/0/value: the value must be a string',
  ],
  [
    { taints: [{ key: 'a' }] },
    '/spec/taints/0/effect: unknown effect "". Valid values: NoSchedule, PreferNoSchedule, NoExecute',
  ],
  [{ taints: [{ key: 'a', effect: 'noschedule' }] }, '/spec/taints/0/effect: unknown effect "noschedule"'],
  [
    {
      taints: [
        { key: 'a', value: '1', effect: 'NoSchedule' },
        { key: 'a', value: '2', effect: 'NoSchedule' },
      ],
    },
    '/spec/taints/1/key: the taint a:NoSchedule is given twice',
  ],
])('%j is refused: %s', ([own, says]) => {
  const found = declare({ worker: own }).problems.map(problemText);
  expect(found.join('\n')).toContain(`/t/c.yaml: /1${says}`);
});

describe('features.upgrade', () => {
  const upgrade = (given: JsonObject): Given => ({ features: { upgrade: given } });
  const isDrain = (line: string): boolean => line.includes(': drain ');

  test('drainNodeBeforeUpgrade: false leaves the drain out, and nothing else', () => {
    const kept = plan('cluster.upgrade', upgrade({ strategy: { drainNodeBeforeUpgrade: false } }));
    const usual = outline(plan('cluster.upgrade', {}));
    expect(outline(kept)).toEqual(usual.filter((line) => !isDrain(line)));
    expect(usual.filter(isDrain)).toHaveLength(4);
  });

  test.for<JsonObject>([
    {},
    { strategy: { drainNodeBeforeUpgrade: true } },
    { strategy: { maxUnready: '20%' } },
  ])('%j: as usual', (given) => {
    expect(outline(plan('cluster.upgrade', upgrade(given)))).toEqual(outline(plan('cluster.upgrade', {})));
  });

  test('a node that is removed is drained all the same', () => {
    const removed = plan('node.delete', upgrade({ strategy: { drainNodeBeforeUpgrade: false } }));
    expect(outline(removed).filter(isDrain)).toHaveLength(2);
  });

  test('Manual: the masters alone, workers when they are named', () => {
    const made = plan('cluster.upgrade', upgrade({ mode: 'Manual' }));
    expect(outline(made).filter((line) => line.includes('mc-'))).toEqual([]);
    expect(outline(made)).toContain('10.0.0.2/upgrade: upgrade on 10.0.0.2');
    expect(noted(made)).toEqual(['the upgrade mode is Manual: mc-1, mc-2 are upgraded only by name']);
    expect(outline(plan('node.upgrade', upgrade({ mode: 'Manual' })))).toEqual(
      outline(plan('node.upgrade', {})),
    );
    expect(outline(plan('cluster.delete', upgrade({ mode: 'Manual' })))).toEqual(
      outline(plan('cluster.delete', {})),
    );
  });

  test.for<readonly [JsonObject, string]>([
    [{ mode: 'manual' }, '/mode: unknown mode "manual". Valid values: Auto, Manual'],
    [
      { strategy: { drainNodeBeforeUpgrade: 'false' } },
      '/strategy/drainNodeBeforeUpgrade: must be true or false',
    ],
  ])('%j is refused: %s', ([given, says]) => {
    const found = declare(upgrade(given)).problems.map(problemText);
    expect(found.join('\n')).toContain(`/t/c.yaml: /0/spec/features/upgrade${says}`);
  });
});

test('skipConditions: names of no step are reported', () => {
  const made = plan('cluster.create', {
    features: { skipConditions: ['EnsurePostInstallHook', 'EnsureKubelet'] },
  });
  expect(noted(made)).toEqual([
    '1 hook is skipped by skipConditions',
    'skipConditions names no step that can be left out here: "EnsureKubelet"',
  ]);
});
