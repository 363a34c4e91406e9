import { expect, test } from 'vitest';
import { parseLabelSelector } from '#kube/label-selector.ts';
import { pods } from '#loop/owned/resources.ts';
import { concerns, type WatchRequest } from './watch-request.ts';
import { about, watchedKind, type KnownObject } from './watched-kind.ts';

const pod = (name: string, labels: Readonly<Record<string, string>> = { app: 'web' }): KnownObject => ({
  metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1', labels },
});
const request = (more: Omit<WatchRequest, 'resource'>): WatchRequest => ({ resource: pods, ...more });
const labels = parseLabelSelector('app=web');

test.for([
  ['anything', request({}), true],
  ['its namespace', request({ namespace: 'shop' }), true],
  ['another namespace', request({ namespace: 'test' }), false],
  ['its name', request({ namespace: 'shop', name: 'a' }), true],
  ['another name', request({ namespace: 'shop', name: 'b' }), false],
  ['its labels', request({ labels }), true],
  ['other labels', request({ labels: parseLabelSelector('app=db') }), false],
  ['what it is about, which it does not say', request({ about: about('Pod', 'a') }), false],
] as const)('a pod concerns who asks for %s: %j', ([, asked, expected]) =>
  expect(concerns(asked, { type: 'added', object: pod('a') })).toBe(expected),
);

test('an object that leaves a selection concerns those who had it', () => {
  const old = pod('a');
  const object = pod('a', { app: 'db' });
  expect(concerns(request({ labels }), { type: 'updated', object, old })).toBe(true);
  expect(concerns(request({ labels }), { type: 'added', object })).toBe(false);
});

test('of a pod only the metadata is asked for, and no more than labels and version are kept', () => {
  const { content, decode } = watchedKind(pods, []);
  const annotations = { note: 'long' };
  const metadata = { name: 'a', namespace: 'shop', uid: 'u', resourceVersion: '1', annotations };
  expect(content).toBe('metadata');
  expect(decode.of({ metadata, spec: { nodeName: 'n' } })).toEqual({
    metadata: { name: 'a', namespace: 'shop', uid: 'u', resourceVersion: '1', labels: {} },
  });
});
