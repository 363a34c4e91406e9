import { expect, test } from 'vitest';
import { instant } from '#base/time.ts';
import { operationId } from './operation-id.ts';

test('names of operations sort by time: a cleanup right after a deploy is the last operation', () => {
  const began = Date.UTC(2026, 0, 5, 12, 0, 7);
  const deploy = operationId(instant(began + 100), 'deploy', 71);
  const cleanup = operationId(instant(began + 900), 'cleanup', 72);
  expect(deploy).toBe('20260105T120007.100000Z-deploy-1z');
  expect([cleanup, deploy].toSorted()).toEqual([deploy, cleanup]);
  // Names of earlier versions have seconds only.
  expect([deploy, '20260105T120006Z-deploy-1z', '20260105T120008Z-join-1z'].toSorted()[1]).toBe(deploy);
});
