import { expect, test } from 'vitest';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { revisionLabel } from '#releases/model/well-known.ts';
import { releasePodOf } from './pod-view.ts';
import { byName, currentRevision, keptRevision } from './revision-view.ts';

const revision = (name: string, number: number): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name, namespace: 'shop' },
  revision: number,
});

const workload = (currentRevision?: string, stable?: string): KubeObject => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'GameDeployment',
  metadata: { name: 'shop', namespace: 'shop' },
  status: {
    ...(currentRevision !== undefined && { currentRevision }),
    ...(stable !== undefined && { canary: { revision: stable } }),
  },
});

const [first, second, third] = [revision('first', 1), revision('second', 2), revision('third', 3)] as const;
const revisions = byName([first, second, third]);

const podOf = (name: string, at: number) =>
  releasePodOf({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `shop-${at}`, namespace: 'shop', labels: { [revisionLabel]: name } },
  });

const currentOf = (
  recorded: string | undefined,
  names: readonly string[],
  counts: { readonly staying: number; readonly replicas: number; readonly isBehind?: boolean },
): string | undefined => {
  const pods = names.map(podOf);
  const found = currentRevision(workload(recorded), { pods, isBehind: false, ...counts }, revisions);
  return found && nameOf(found);
};

test.for<[recorded: string | undefined, pods: readonly string[], current: string | undefined, why: string]>([
  ['first', ['first', 'first', 'first'], 'first', 'all pods have it'],
  ['first', ['first', 'second', 'second'], 'first', 'it stays during a release'],
  ['first', ['second', 'second', 'second'], 'second', 'all pods have come to the next one'],
  ['first', ['second', 'second'], 'first', 'the missing pod may have had it'],
  ['first', ['second', 'third', 'third'], 'first', 'no pod has it, and the second was never complete'],
  [
    'third',
    ['first', 'second', 'second'],
    'third',
    'the template has gone back to it, so its number is high',
  ],
  ['first', [], 'first', 'all pods are missing'],
  [undefined, ['third', 'second', 'third'], 'second', 'nothing is recorded: the oldest one of a pod'],
  ['gone', ['third', 'second', 'third'], 'second', 'the recorded one does not exist any more'],
  [undefined, [], undefined, 'nothing is known'],
])('recorded %s, pods %j: the current revision is %s (%s)', ([recorded, names, expected]) => {
  expect(currentOf(recorded, names, { staying: names.length, replicas: 3 })).toBe(expected);
});

test.for<
  [pods: readonly string[], staying: number, replicas: number, current: string | undefined, why: string]
>([
  [['first', 'second', 'second'], 0, 0, 'first', 'scaled to nothing, and the pods are still there'],
  [['first', 'second', 'second'], 2, 2, 'first', 'the last pod of it is too many and still there'],
  [['second', 'second'], 2, 2, 'second', 'the last pod of it is gone'],
  [[], 0, 0, undefined, 'scaled to nothing, and all pods are gone'],
])(
  'pods %j, of which %i stay, and %i replicas: the current revision is %s (%s)',
  ([names, staying, replicas, to]) => {
    expect(currentOf('first', names, { staying, replicas })).toBe(to);
  },
);

test.for<[pods: readonly string[], replicas: number]>([
  [['second', 'second'], 2],
  [[], 0],
])(
  'pods %j, replicas %i: the current revision stays while informers do not show a new pod of it',
  ([names, replicas]) => {
    expect(currentOf('first', names, { staying: names.length, replicas, isBehind: true })).toBe('first');
  },
);

test('old pods are made anew of the stable revision of a canary, else of the current one, else of the template', () => {
  const kept = (stable: string | undefined, current: KubeObject | undefined): string =>
    nameOf(keptRevision(workload('first', stable), current, revisions, third));
  expect(kept('first', second)).toBe('first');
  expect(kept(undefined, second)).toBe('second');
  expect(kept('gone', second)).toBe('second');
  expect(kept(undefined, undefined)).toBe('third');
});
