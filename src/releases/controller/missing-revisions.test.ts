import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { missingRevisions, readRevisions } from './missing-revisions.ts';

const signal = new AbortController().signal;
const status = { updateRevision: 'new', currentRevision: 'old', canary: { revision: 'old' } };

const workload = (metadata: JsonObject = {}): KubeObject => ({
  metadata: { name: 'g', namespace: 'n', uid: 'g', ...metadata },
  status,
});

const revision = (name: string, owner = 'g'): KubeObject => ({
  metadata: { name, namespace: 'n', ownerReferences: [{ uid: owner, controller: true }] },
});

const getFrom =
  (...objects: readonly KubeObject[]) =>
  (_: unknown, { name }: { readonly name: string }) => {
    const object = objects.find((each) => nameOf(each) === name);
    return Promise.resolve(
      object === undefined
        ? ({ type: 'not-found', code: 404, message: 'not found', status: {} } as const)
        : ({ type: 'ok', object } as const),
    );
  };

test.for<readonly [string, KubeObject, readonly string[], readonly string[]]>([
  ['all are shown', workload(), ['old', 'new'], []],
  ['one is missing', workload(), ['new', 'other'], ['old']],
  ['none is shown', workload(), [], ['new', 'old']],
  ['a workload without a status', { metadata: { name: 'g' } }, [], []],
  ['a workload that is being deleted', workload({ deletionTimestamp: '2026-01-05T12:00:00Z' }), [], []],
])('revisions that the status names and the informer does not show: %s', ([, object, shown, missing]) => {
  expect(
    missingRevisions(
      object,
      shown.map((name) => revision(name)),
    ),
  ).toEqual(missing);
});

test('they are read from the server; those that are gone, or of another workload, stay missing', async () => {
  const get = getFrom(revision('old'), revision('new', 'another'));
  expect(await readRevisions({ get }, workload(), ['old', 'new', 'gone'], signal)).toEqual([revision('old')]);
});
