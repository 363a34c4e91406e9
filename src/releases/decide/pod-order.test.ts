import { expect, test } from 'vitest';
import { podFrom } from './testing/cases/pod-short.ts';
import { byCost, byValue } from './pod-order.ts';
import { releasePodOf } from './pod-view.ts';

const views = (lines: readonly string[]) => lines.map((line) => releasePodOf(podFrom(line, {})));
const ids = (pods: ReturnType<typeof views>) => pods.map(({ facts }) => facts.name.slice(3)).join('');

test.for<readonly [string, readonly string[], string]>([
  ['not scheduled first', ['a r', 'b r Pending', 'c r Pending unscheduled'], 'cba'],
  ['Pending, Unknown, Running', ['a r', 'b r Unknown', 'c r Pending'], 'cba'],
  ['not ready before ready', ['a r', 'b r unready'], 'ba'],
  ['a shut gate is not in service', ['a r', 'b r gate:shut'], 'ba'],
  ['ready for a shorter time first', ['a r ready:-9', 'b r ready:-5', 'c r ready:-7'], 'bca'],
  ['more restarts first', ['a r', 'b r restarts:3', 'c r restarts:1'], 'bca'],
  ['newer first', ['a r created:-300', 'b r created:-100', 'c r created:-200'], 'bca'],
  ['else by name', ['c r', 'a r', 'b r'], 'abc'],
])('value: %s', ([, lines, order]) => {
  expect(ids(views(lines).toSorted(byValue))).toBe(order);
});

const costs: Readonly<Record<string, number>> = { cheap: 1, dear: 9 };

test.for<readonly [string, boolean, readonly string[], string]>([
  ['the node first', false, ['a r node:dear cost:1', 'b r node:cheap cost:9'], 'ba'],
  ['nodes without a price last', false, ['a r', 'b r node:dear'], 'ba'],
  ['then the pod', false, ['a r cost:5', 'b r cost:-5', 'c r cost:0'], 'bca'],
  ['pods without a price last', false, ['a r', 'b r cost:2147483647'], 'ba'],
  ['a price that is no number is none', false, ['a r cost:much', 'b r cost:7'], 'ba'],
  ['the other way', true, ['a r cost:-5', 'b r cost:5', 'c r cost:0'], 'bca'],
  ['the other way, without a price still last', true, ['a r', 'b r cost:-7'], 'ba'],
  ['the same price: by value', false, ['a r cost:1', 'b r cost:1 unready'], 'ba'],
])('cost: %s', ([, isDescending, lines, order]) => {
  const nodeCost = (name: string): number | undefined => costs[name];
  expect(ids([...byCost(views(lines), { nodeCost, isDescending })])).toBe(order);
});
