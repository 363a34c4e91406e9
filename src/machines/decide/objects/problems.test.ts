import { expect, test } from 'vitest';
import { problemConditions, problemsText } from './problems.ts';

const problem = (file: string, pointer: string) => ({ origin: { file, pointer }, message: 'it is wrong' });

test.for([
  ['', '/spec/machines/0/ip', '/spec/machines/0/ip: it is wrong'],
  ['Machine mc-1', '/spec', 'Machine mc-1 /spec: it is wrong'],
  ['', '/spec/machines/0/credentialsFrom', '/spec/machines/0/credentialsFrom: it is wrong'],
  ['', '', 'it is wrong'],
] as const)('%s %s is reported as: %s', ([file, pointer, says]) => {
  expect(problemsText([problem(file, pointer)])).toBe(says);
});

test('problems stand in the conditions of their steps; long ones are cut', () => {
  const file = '';
  const many = Array.from({ length: 100 }, (_, at) => problem(file, `/spec/features/files/${at}/src`));
  const conditions = problemConditions(
    [
      problem(file, '/spec/features/hooks/HookPreInstall'),
      problem(file, '/spec/features/upgrade/betweenBatches'),
      problem(file, '/spec/clusterCIDR'),
      ...many,
    ],
    'cluster.upgrade',
  );
  expect(conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
    'EnsurePreInstallHook False FailedUpdate',
    'EnsureBetweenBatchesHook False FailedUpdate',
    'EnsureCopyFiles False FailedUpdate',
  ]);
  expect(conditions.at(-1)?.message).toHaveLength(1024);
});
