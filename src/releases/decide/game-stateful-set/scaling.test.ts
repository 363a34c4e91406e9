import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { decide, parallel, podFrom, setOf, snapshotOf, told } from './testing/objects.ts';
import { found, wanted, claimed, five, known, lost, rolling, type Row } from './testing/rows.ts';
import type { StatefulSnapshot } from './snapshot.ts';

const scaling: readonly Row[] = [
  { name: 'the first comes first', pods: [], actions: ['create web-0 new'] },
  {
    name: 'the next waits for the one before',
    pods: ['0 new unready'],
    actions: [],
    reason: 'WaitingForPods',
  },
  { name: 'and comes when it is in service', pods: ['0 new'], actions: ['create web-1 new'] },
  {
    name: 'the next waits for a sick one below the partition too',
    spec: rolling({ partition: 5 }),
    status: { ...known, currentRevision: 'old' },
    pods: ['0 old unready'],
    actions: [],
    reason: 'WaitingForPods',
  },
  {
    name: 'parallel ones come together',
    spec: { ...parallel, replicas: 3 },
    pods: ['0 new'],
    actions: ['create web-1 new', 'create web-2 new'],
  },
  {
    name: 'reserved ordinals stay empty, and their pods go once others are in service',
    spec: { ...parallel, replicas: 3, reserveOrders: [1] },
    pods: ['0 new', '1 new'],
    actions: ['create web-2 new', 'create web-3 new'],
    reason: 'WaitingForPods',
  },
  {
    name: 'reserved ordinals: the others are in service',
    spec: { ...parallel, replicas: 3, reserveOrders: [1] },
    pods: ['0 new', '1 new', '2 new', '3 new unready'],
    actions: ['delete web-1'],
  },
  {
    name: 'a new set grows in batches',
    spec: { ...parallel, scaleStrategy: { createBatch: '40%' } },
    actions: ['create web-0 new', 'create web-1 new'],
  },
  {
    name: 'the next batch waits for the last one',
    spec: { ...parallel, scaleStrategy: { createBatch: 2 } },
    pods: ['0 new', '1 new unready'],
    actions: ['create web-2 new'],
  },
  {
    name: 'claims come before the pod',
    spec: { ...claimed, replicas: 1 },
    actions: ['create web-0 new after data-web-0'],
  },
  {
    name: 'a claim that is there is not made again',
    spec: { ...claimed, replicas: 1 },
    more: { claim: (name) => ({ metadata: { name } }) },
    actions: ['create web-0 new'],
  },
  {
    name: 'a claim on its way out is waited for',
    spec: { ...claimed, replicas: 1 },
    more: { claim: (name) => ({ metadata: { name, deletionTimestamp: '2026-01-05T12:00:00Z' } }) },
    actions: [],
    reason: 'WaitingForPods',
  },
  {
    name: 'a failed pod is made anew: the first only',
    pods: ['0 new', '1 new failed', '2 new failed'],
    actions: ['delete web-1'],
  },
  {
    name: 'all of them, if they are parallel',
    spec: { ...parallel, replicas: 3 },
    pods: ['0 new', '1 new failed', '2 new failed'],
    actions: ['delete web-1', 'delete web-2'],
  },
  {
    name: 'one on its way out is waited for',
    pods: ['0 new', '1 new deleting'],
    actions: [],
    reason: 'WaitingForPods',
  },
  {
    name: 'not by parallel ones',
    spec: { ...parallel, replicas: 3 },
    pods: ['0 new', '1 new deleting'],
    actions: ['create web-2 new'],
  },
  {
    name: 'condemned: the highest first, and no other',
    spec: { replicas: 2 },
    pods: five('new'),
    actions: ['delete web-4'],
  },
  {
    name: 'condemned: one that goes is waited for',
    spec: { replicas: 2 },
    pods: ['0 new', '1 new', '2 new', '3 new deleting'],
    actions: [],
    reason: 'WaitingForPods',
  },
  {
    name: 'condemned: all, if they are parallel',
    spec: { ...parallel, replicas: 2 },
    pods: ['0 new', '1 new', '2 new', '3 new', '4 new deleting'],
    actions: ['delete web-3', 'delete web-2'],
  },
  {
    name: 'condemned: parallel too, as many stay in service as maxUnavailable requires',
    spec: { ...parallel, replicas: 3, updateStrategy: { rollingUpdate: { maxUnavailable: 1 } } },
    pods: ['0 new', '1 new unready', '2 new unready', '3 new', '4 new'],
    actions: ['delete web-4'],
    reason: 'WaitingForPods',
  },
  {
    name: 'condemned: one in service stays while too many pods of an older revision are not',
    spec: { replicas: 3, updateStrategy: { type: 'OnDelete' } },
    status: { ...known, currentRevision: 'old' },
    pods: ['0 old unready', '1 old unready', '2 old', '3 new'],
    actions: [],
    reason: 'WaitingForDeletion',
  },
  {
    name: 'condemned: one in service goes when enough others are',
    spec: { replicas: 3, updateStrategy: { type: 'OnDelete' } },
    status: { ...known, currentRevision: 'old' },
    pods: ['0 old unready', '1 old', '2 old', '3 new'],
    actions: ['delete web-3'],
    reason: 'WaitingForDeletion',
  },
  {
    name: 'condemned: a sick one waits for those before it',
    spec: { replicas: 2 },
    pods: ['0 new', '1 new', '2 new unready', '3 new unready'],
    actions: [],
    reason: 'WaitingForPods',
  },
  {
    name: 'condemned: the sickest itself may go',
    spec: { replicas: 2 },
    pods: ['0 new', '1 new', '2 new unready'],
    actions: ['delete web-2'],
  },
  {
    name: 'a new set without pods and without replicas',
    spec: { replicas: 0 },
    actions: [],
  },
  {
    name: 'one that the set could not have named is left alone',
    spec: { ...parallel, replicas: 1 },
    pods: ['0 new', 'x new', '01 new'],
    actions: [],
  },
];

const losses: readonly Row[] = [
  {
    name: 'a lost node: the pod waits',
    pods: ['0 new deleting'],
    more: lost,
    actions: [],
    reason: 'WaitingForPods',
  },
];

test.for([...scaling, ...losses])('$name', (row) => expect(found(row)).toEqual(wanted(row)));

const annotated = { 'pod.gamestatefulset.bkbcs.tencent.com/node-lost-force-delete': 'true' };

test.for<readonly [string, JsonObject, Partial<StatefulSnapshot>, readonly string[]]>([
  ['a lost node, and the pod says it may go', { annotations: annotated }, lost, ['force delete web-0']],
  ['the node is well', { annotations: annotated }, {}, []],
  ['the node is gone', { annotations: annotated }, { node: () => undefined }, ['force delete web-0']],
  ['once is enough', { annotations: annotated, deletionGracePeriodSeconds: 0 }, lost, []],
  ['nothing was said', {}, lost, []],
])('%s', ([, metadata, more, actions]) => {
  const set = setOf({ replicas: 1 });
  const pod = podFrom(set, '0 new deleting', metadata);
  expect(decide(snapshotOf(set, [pod], more)).actions.map(told)).toEqual(actions);
});
