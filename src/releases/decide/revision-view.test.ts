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
])('recorded %s, pods %j: the current revision is %s (%s)', ([recorded, pods, expected]) => {
  const views = pods.map((name, at) =>
    releasePodOf({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `shop-${at}`, namespace: 'shop', labels: { [revisionLabel]: name } },
    }),
  );
  const found = currentRevision(workload(recorded), views, revisions, 3);
  expect(found && nameOf(found)).toBe(expected);
});

test('a workload that is scaled to nothing comes from no revision', () => {
  expect(currentRevision(workload('first'), [], revisions, 0)).toBeUndefined();
});

test('old pods are made anew of the stable revision of a canary, else of the current one, else of the template', () => {
  const kept = (stable: string | undefined, current: KubeObject | undefined): string =>
    nameOf(keptRevision(workload('first', stable), current, revisions, third));
  expect(kept('first', second)).toBe('first');
  expect(kept(undefined, second)).toBe('second');
  expect(kept('gone', second)).toBe('second');
  expect(kept(undefined, undefined)).toBe('third');
});
