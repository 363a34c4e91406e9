import { expect, test } from 'vitest';
import { listAt, objectAt } from '#base/json.ts';
import { workloadOf } from './testing/objects.ts';
import { labelsOf, nameOf, type KubeObject } from '#kube/object.ts';
import {
  isSameRevision,
  newRevision,
  revisionHash,
  superfluousRevisions,
  templateOf,
  updateRevision,
} from './revisions.ts';

const label = 'controller.kubernetes.io/hash';
const one = workloadOf('StatefulSet', 'web', {}, { image: 'img:1' });
const two = workloadOf('StatefulSet', 'web', {}, { image: 'img:2' });
const make = (workload: KubeObject, number: number): KubeObject =>
  newRevision(workload, { number, collisions: 0, hashLabel: label });

test('the hash is of the template as Go prints it, and of the collisions', () => {
  const data = { spec: { template: { $patch: 'replace' } } };
  expect(revisionHash(data, 0)).toMatch(/^[bcdf456789]{6,10}$/);
  expect(revisionHash(data, 0)).toBe(revisionHash({ spec: { template: { $patch: 'replace' } } }, 0));
  expect(revisionHash(data, 0)).not.toBe(revisionHash(data, 1));
});

test('a revision keeps the template, its owner and its hash', () => {
  const revision = make(one, 1);
  const hash = labelsOf(revision)[label] ?? '';
  expect(nameOf(revision)).toBe(`web-${hash}`);
  expect(templateOf(revision)).toEqual(objectAt(one, 'spec', 'template'));
  expect(listAt(revision, 'metadata', 'ownerReferences')).toMatchObject([
    { kind: 'StatefulSet', uid: 'uid-web' },
  ]);
  expect(isSameRevision(revision, make(one, 7), one)).toBe(true);
  expect(isSameRevision(revision, make(two, 1), one)).toBe(false);
});

test.for<readonly [string, KubeObject, readonly KubeObject[], string, number]>([
  ['the first', one, [], 'create', 1],
  ['the same again', one, [make(one, 1)], 'none', 1],
  ['another', two, [make(one, 1)], 'create', 2],
  ['back to an earlier one', one, [make(one, 1), make(two, 2)], 'renumber', 3],
])('%s', ([, workload, known, type, number]) => {
  const step = updateRevision(workload, known, { hashLabel: label });
  expect(step.type).toBe(type);
  expect(step.revision['revision']).toBe(number);
});

test('a template that is written differently is the same where the caller says so', () => {
  const isSameTemplate = (): boolean => true;
  expect(updateRevision(two, [make(one, 1)], { hashLabel: label, isSameTemplate })).toMatchObject({
    type: 'none',
    revision: { revision: 1 },
  });
});

test('the oldest that nobody uses go', () => {
  const known = [3, 1, 2].map((number) => ({ ...make(one, number), metadata: { name: `r${number}` } }));
  const drop = (limit: number): readonly string[] =>
    superfluousRevisions(known, (revision) => nameOf(revision) === 'r2', limit).map(nameOf);
  expect(drop(2)).toEqual([]);
  expect(drop(1)).toEqual(['r1']);
  expect(drop(0)).toEqual(['r1', 'r3']);
});
