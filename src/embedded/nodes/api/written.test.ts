import { expect, test } from 'vitest';
import type { KubeObject } from '#kube/object.ts';
import { Written } from './written.ts';

const version = (resourceVersion: string, uid = 'u'): KubeObject => ({ metadata: { uid, resourceVersion } });

test('our own write counts while the informer shows what it was made over, and no longer', () => {
  const written = new Written();
  written.note(version('1'), version('2'));
  expect(written.newest(version('1'))).toEqual(version('2'));
  expect(written.newest(version('1', 'other'))).toEqual(version('1', 'other'));
  expect(written.newest(version('3'))).toEqual(version('3'));
  expect(written.newest(version('1'))).toEqual(version('1'));
});

test('what is forgotten is forgotten', () => {
  const written = new Written();
  written.note(version('1'), version('2'));
  written.forget('u');
  expect(written.newest(version('1'))).toEqual(version('1'));
});
