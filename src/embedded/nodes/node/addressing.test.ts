import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubeObject } from '#kube/object.ts';
import { instant, formatMicroTime } from '#base/time.ts';
import { isSurplus, Ranges } from './addressing.ts';
import { ownerAnnotation, otherOwner } from './node-owner.ts';

const node = (podCIDR: string): KubeObject => ({
  metadata: { name: podCIDR },
  spec: { podCIDR, podCIDRs: [podCIDR] },
});

test('no two nodes get the same range, also beside other nodes', () => {
  const others = fc.array(fc.integer({ min: 0, max: 40 }).map((each) => `10.128.${each}.0/24`));
  fc.assert(
    fc.property(others, fc.constantFrom('node-', 'sim-node-', 'x'), (taken, prefix) => {
      const ranges = new Ranges(prefix);
      const all = taken.map(node);
      const given = Array.from(
        { length: 50 },
        (_, index) => ranges.give(index, undefined, () => all).podCidr,
      );
      expect(new Set([...given, ...taken]).size).toBe(50 + new Set(taken).size);
    }),
  );
});

test('a node keeps what it shows', () => {
  const shown = {
    ...node('10.200.3.0/24'),
    status: { addresses: [{ type: 'InternalIP', address: '10.9.9.9' }] },
  };
  const ranges = new Ranges('node-');
  expect(ranges.give(0, shown, () => [shown])).toEqual({ hostIp: '10.9.9.9', podCidr: '10.200.3.0/24' });
  expect(ranges.give(1, node('fd00::/64'), () => [])).toEqual({
    hostIp: '10.0.0.2',
    podCidr: '10.128.1.0/24',
  });
});

test.for([
  ['node-4', true],
  ['node-3', false],
  ['node-04', false],
  ['node-4x', false],
  ['node-', false],
  ['sim-node-4', false],
] as const)('of three nodes %s is one too many: %s', ([name, isOne]) => {
  expect(isSurplus({ metadata: { name } }, 'node-', 3)).toBe(isOne);
});

const now = instant(1_790_000_000_000);
const lease = (owner: string | undefined, age: number): KubeObject => ({
  metadata: { annotations: owner === undefined ? {} : { [ownerAnnotation]: owner } },
  spec: { leaseDurationSeconds: 40, renewTime: formatMicroTime(instant(now - age)) },
});

test.for([
  ['without a holder', lease(undefined, 0), undefined],
  ['we do', lease('me', 0), undefined],
  ['another does', lease('you', 39_000), 'you'],
  ['another did', lease('you', 40_000), undefined],
  ['another has ended', lease('late', 0), undefined],
] as const)('whose node it is when %s', ([, given, expected]) => {
  expect(otherOwner(given, { id: 'me', isGone: (id) => id === 'late' }, now)).toBe(expected);
});
