import { expect, test } from 'vitest';
import fc from 'fast-check';
import { decideScale, type ScaleDecision, type ScaleGiven } from './scale.ts';

const given: ScaleGiven = {
  replicas: 5,
  pods: 5,
  notUpdated: 0,
  partition: 0,
  maxSurge: 0,
  isReleasing: false,
  isHeld: false,
};

test.for<readonly [string, Partial<ScaleGiven>, ScaleDecision]>([
  ['as wanted', {}, { type: 'none' }],
  ['too few', { pods: 2 }, { type: 'create', updated: 3, old: 0 }],
  ['too many', { pods: 7 }, { type: 'remove', count: 2, old: 0 }],
  [
    'old ones first where none shall stay',
    { pods: 7, notUpdated: 3, isReleasing: true },
    { type: 'remove', count: 2, old: 2 },
  ],
  [
    'a missing old one is made old again',
    { pods: 4, notUpdated: 2, partition: 3, isReleasing: true },
    { type: 'create', updated: 0, old: 1 },
  ],
  [
    'surge as far as there is something to update',
    { notUpdated: 5, maxSurge: 2, isReleasing: true },
    { type: 'create', updated: 2, old: 0 },
  ],
  [
    'no surge beyond the partition',
    { notUpdated: 4, partition: 3, maxSurge: 2, isReleasing: true },
    { type: 'create', updated: 1, old: 0 },
  ],
  [
    'surge never costs a pod',
    { pods: 5, notUpdated: 2, partition: 3, maxSurge: 0, isReleasing: true },
    { type: 'none' },
  ],
  [
    'a lost old pod comes back though surge is set',
    { pods: 4, notUpdated: 2, partition: 3, maxSurge: 1, isReleasing: true },
    { type: 'create', updated: 0, old: 1 },
  ],
  [
    'old ones over the partition go first',
    { pods: 7, notUpdated: 3, partition: 1, isReleasing: true },
    { type: 'remove', count: 2, old: 2 },
  ],
  [
    'with one pod of surge',
    { pods: 7, notUpdated: 3, partition: 1, maxSurge: 1, isReleasing: true },
    { type: 'remove', count: 1, old: 1 },
  ],
  ['held: no new surge', { notUpdated: 5, maxSurge: 2, isReleasing: true, isHeld: true }, { type: 'none' }],
  [
    'held: surge that is there stays',
    { pods: 7, notUpdated: 5, maxSurge: 2, isReleasing: true, isHeld: true },
    { type: 'none' },
  ],
  ['held: scaling goes on', { replicas: 8, isHeld: true }, { type: 'create', updated: 3, old: 0 }],
])('%s', ([, change, expected]) => {
  expect(decideScale({ ...given, ...change })).toEqual(expected);
});

test('it never makes more than surge allows, nor removes below what is wanted', () => {
  const small = fc.nat({ max: 12 });
  const situations = fc.record({
    replicas: small,
    pods: small,
    old: small,
    partition: small,
    maxSurge: small,
    isHeld: fc.boolean(),
  });
  fc.assert(
    fc.property(situations, ({ old, ...rest }) => {
      const notUpdated = Math.min(old, rest.pods);
      const decision = decideScale({ ...rest, notUpdated, isReleasing: notUpdated > 0 });
      if (decision.type === 'create') {
        expect(rest.pods + decision.updated + decision.old).toBeLessThanOrEqual(
          rest.replicas + rest.maxSurge,
        );
        expect(Math.min(decision.updated, decision.old)).toBeGreaterThanOrEqual(0);
      }
      if (decision.type === 'remove') {
        expect(rest.pods - decision.count).toBeGreaterThanOrEqual(rest.replicas);
        expect(decision.old).toBeLessThanOrEqual(notUpdated);
      }
    }),
  );
});
