import { expect, test } from 'vitest';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { byName, currentRevision, keptRevision } from './revision-view.ts';

const revision = (name: string, number: number): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name, namespace: 'shop' },
  revision: number,
});

const workload = (status: Readonly<Record<string, string>>, canary?: Readonly<Record<string, string>>) => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'GameDeployment',
  metadata: { name: 'shop', namespace: 'shop' },
  status: canary === undefined ? status : { ...status, canary },
});

const [first, second, third] = [revision('first', 1), revision('second', 2), revision('third', 3)] as const;
const revisions = byName([first, second, third]);

const current = (given: {
  readonly status: Readonly<Record<string, string>>;
  readonly canary?: Readonly<Record<string, string>>;
  readonly oldest: KubeObject | undefined;
  readonly update: KubeObject;
  readonly isMissing?: boolean;
}): string | undefined => {
  const { status, canary, oldest, update, isMissing = false } = given;
  const found = currentRevision(workload(status, canary), oldest, revisions, { update, isMissing });
  return found && nameOf(found);
};

test('the current revision is the oldest one of a pod', () => {
  expect(current({ status: { currentRevision: 'first' }, oldest: second, update: third })).toBe('second');
  expect(current({ status: {}, oldest: first, update: second })).toBe('first');
});

test('while pods are missing the recorded revision stays current, also when only pods of a replaced template are left', () => {
  const status = { currentRevision: 'first', updateRevision: 'second' };
  expect(current({ status, oldest: second, update: second, isMissing: true })).toBe('first');
  expect(current({ status, oldest: second, update: third, isMissing: true })).toBe('first');
});

test('a template that goes back to the recorded revision leaves no revision that was never complete to keep', () => {
  const status = { currentRevision: 'third', updateRevision: 'second' };
  expect(current({ status, oldest: second, update: third })).toBe('third');
});

test('the pods of an aborted template are not what the workload comes from', () => {
  const canary = { abortedRevision: 'second', revision: 'first' };
  expect(current({ status: { currentRevision: 'second' }, canary, oldest: first, update: second })).toBe(
    'first',
  );
});

test('old pods are made anew of the stable revision, then of the recorded one, then of the oldest one', () => {
  const kept = (object: KubeObject, oldest: KubeObject | undefined): string =>
    nameOf(keptRevision(object, oldest, revisions, third));
  expect(kept(workload({ currentRevision: 'second' }, { revision: 'first' }), second)).toBe('first');
  expect(kept(workload({ currentRevision: 'first' }), second)).toBe('first');
  expect(kept(workload({ currentRevision: 'gone' }), second)).toBe('second');
  expect(kept(workload({}), undefined)).toBe('third');
});
