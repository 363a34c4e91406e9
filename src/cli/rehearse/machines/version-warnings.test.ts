import { expect, test } from 'vitest';
import type { ClusterNode, OperationKind } from '#machines/decide/model.ts';
import { fromVersion } from './from-version.ts';
import { versionWarnings } from './version-warnings.ts';

const nodes = [
  { name: 'm1', roles: ['master'] },
  { name: 'm2', roles: ['master'] },
  { name: 'w1', roles: ['worker'] },
] as readonly Partial<ClusterNode>[] as readonly ClusterNode[];

type Case = {
  readonly operation?: OperationKind;
  readonly before?: string;
  readonly named?: readonly string[];
  readonly says?: RegExp;
};

test.for<Case>([
  { before: '1.33.4' },
  { before: '1.34.2' },
  { before: '1.35.0' },
  { before: 'unknown' },
  {},
  { before: 'v1.30.0', says: /refuse to go from v1\.30\.0 to 1\.34\.2, .*: go to 1\.31 first$/ },
  { before: '1.37.1', says: /go to 1\.36 first$/ },
  { operation: 'node.upgrade', before: '1.34.0', named: ['w1'] },
  { operation: 'node.upgrade', before: '1.35.0', named: ['w1'] },
  { operation: 'node.upgrade', before: '1.33.4', named: ['m1', 'w1'] },
  {
    operation: 'node.upgrade',
    before: '1.33.4',
    named: ['w1'],
    says: /^w1 would get a kubelet of 1\.34\.2, .* newer than the API server of 1\.33\.4/,
  },
  { operation: 'node.upgrade', before: '1.33.4', named: ['m2'], says: /^m2 would get a kubelet/ },
  { operation: 'node.upgrade', before: '1.32.0', named: ['m1'], says: /go to 1\.33 first/ },
  { operation: 'node.join', before: '1.30.0', named: ['w1'] },
])('$operation of $named from $before', ({ operation = 'cluster.upgrade', before, named = [], says }) => {
  const change = { operation, cluster: { nodes, version: '1.34.2' }, nodes: named, before };
  expect(versionWarnings(change)).toEqual(says === undefined ? [] : [expect.stringMatching(says)]);
});

test.for([
  [undefined, '1.34.2', undefined],
  ['1.33.4', '1.34.2', '1.33.4'],
  ['v1.33.4', '1.34.2', '1.33.4'],
  ['1.18.3-tke.1+x', 'v1.20.0', 'v1.18.3-tke.1+x'],
  ['1.33', undefined, '1.33'],
] as const)('--from-version %s beside %s is %s', ([given, wanted, version]) => {
  expect(fromVersion(given, wanted)).toBe(version);
});

test.for(['abc', '1', '1.x', '', '1.33.4 ', '1.33.4-'])('--from-version %j is refused', (given) => {
  expect(() => fromVersion(given, undefined)).toThrow(/is not a version: write one such as 1\.33\.4/);
});
