import { expect, test } from 'vitest';
import type { KubeObject } from '#kube/object.ts';
import { Newest } from './newest.ts';

const version = (resourceVersion: string, uid = 'u'): KubeObject => ({ metadata: { uid, resourceVersion } });

test('our own write counts while the informer shows an older version, and no longer', () => {
  const newest = new Newest();
  newest.note(version('2'));
  expect(newest.of(version('1'))).toEqual(version('2'));
  expect(newest.of(version('1', 'other'))).toEqual(version('1', 'other'));
  expect(newest.of(version('3'))).toEqual(version('3'));
  expect(newest.of(version('1'))).toEqual(version('1'));
});

test('a write that was read before is remembered until an informer shows it', () => {
  const newest = new Newest();
  newest.note(version('2'));
  expect(newest.after(version('1'))).toEqual(version('2'));
  expect(newest.after(version('2'))).toEqual(version('2'));
  expect(newest.of(version('1'))).toEqual(version('2'));
});

test('a forgotten write does not count', () => {
  const newest = new Newest();
  newest.note(version('2'));
  newest.forget('u');
  expect(newest.of(version('1'))).toEqual(version('1'));
});

test('what we have deleted is not present, until an informer has shown that it is gone', () => {
  const newest = new Newest();
  const shown = [version('1'), version('1', 'other')];
  expect(newest.present(shown)).toEqual(shown);
  newest.noteRemoved(version('1'));
  expect(newest.present(shown)).toEqual([version('1', 'other')]);
  newest.forget('u');
  expect(newest.present(shown)).toEqual(shown);
});
