import { expect, test } from 'vitest';
import { hookFlags, requestOf, runOptionsOf } from './options.ts';

const usual = { filename: ['c.yaml'], installer: 'kubeadm', parallel: '20' };

test('flags as commander gives them', () => {
  const request = requestOf(
    'deploy',
    { ...usual, prehook: ['a,master', 'b=c,worker'], timeout: '1m30s' },
    [],
  );
  expect(request).toMatchObject({ verb: 'deploy', parallel: 20, timeout: 90_000, installer: 'kubeadm' });
  expect(request.files[0]).toMatch(/^\/.*\/c\.yaml$/);
  expect(hookFlags(request)).toEqual([
    { name: 'prehook', value: 'a,master' },
    { name: 'prehook', value: 'b=c,worker' },
  ]);
  expect(JSON.parse(JSON.stringify(request)), 'it survives a journal').toEqual(request);
});

test.for<[string, object, RegExp]>([
  ['no file', { filename: [] }, /-f FILE is required/],
  ['an installer', { installer: 'x' }, /--installer=x is not known\. Valid values: kubeadm, commands, none/],
  ['parallel', { parallel: '0' }, /--parallel=0 must be a whole number of at least 1/],
  ['a timeout', { timeout: '5' }, /--timeout=5 is not a duration/],
])('refused: %s', ([, change, says]) => {
  expect(() => requestOf('deploy', { ...usual, ...change }, [])).toThrow(says);
});

test.for<[unknown, boolean]>([
  [true, true],
  ['true', true],
  ['false', false],
  [false, false],
  [undefined, true],
])('--rollback %s is %s', ([rollback, expected]) => {
  expect(runOptionsOf({ rollback }).rollback).toBe(expected);
});

test('-o accepts JSON only', () => {
  expect(runOptionsOf({ output: 'json' }).json).toBe(true);
  expect(() => runOptionsOf({ output: 'yaml' })).toThrow(/Valid value: json/);
});
