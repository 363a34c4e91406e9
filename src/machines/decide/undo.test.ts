import { expect, test } from 'vitest';
import type { Instant } from '#base/time.ts';
import { compileEggo } from './eggo.ts';
import { kubeadmInstaller } from './kubeadm/installer.ts';
import { stepsOf, taskKey, type MachinePlan } from './plan.ts';
import { planOperation, type PlanRequest } from './plan-operation.ts';
import { replay, type JournalRecord, type TaskOutcome } from './progress.ts';
import { factsOf } from './testing/facts.ts';
import { undoneNodes, undoneTasks, undoOf } from './undo.ts';

const declaration = compileEggo(
  {
    'cluster-id': 'harbour',
    password: 'secret',
    masters: [{ name: 'm1', ip: '192.0.2.1' }],
    workers: [
      { name: 'w1', ip: '192.0.2.2' },
      { name: 'w2', ip: '192.0.2.3' },
    ],
  },
  '/d.yaml',
  { agent: false, home: '/' },
);

const planned = (more: Pick<PlanRequest, 'operation'> & Partial<PlanRequest>): MachinePlan =>
  planOperation({
    declaration,
    facts: factsOf(),
    nodes: [],
    installer: kubeadmInstaller('/crds'),
    parallel: 5,
    force: false,
    ...more,
  });

const create = planned({ operation: 'cluster.create' });
const at = 0 as Instant;
const find = (title: string, node: string): string =>
  stepsOf(create).find((step) => step.title === title && step.targets.some((target) => target.node === node))
    ?.id ?? '';

function ran(title: string, node: string, outcome?: TaskOutcome): readonly JournalRecord[] {
  const task = { at, step: find(title, node), node, attempt: 1 };
  return [
    { type: 'staging', ...task },
    { type: 'intent', ...task, fingerprint: 'f' },
    ...(outcome === undefined ? [] : [{ type: 'result' as const, ...task, outcome }]),
  ];
}

const fine: TaskOutcome = { type: 'succeeded' };
const there: TaskOutcome = { type: 'succeeded', changed: false };

test.for<{
  readonly name: string;
  readonly records: readonly JournalRecord[];
  readonly made: string[];
  readonly touched: string[];
}>([
  { name: 'nothing was begun', records: [], made: [], touched: [] },
  { name: 'made by this operation', records: [...ran('init', 'm1', fine)], made: ['m1'], touched: ['m1'] },
  { name: 'found there already', records: [...ran('init', 'm1', there)], made: [], touched: [] },
  {
    name: 'begun, with an unknown end',
    records: [...ran('join-worker', 'w1')],
    made: ['w1'],
    touched: ['w1'],
  },
  {
    name: 'failed on the way',
    records: [...ran('join-worker', 'w1', { type: 'failed', exit: 1, message: '' })],
    made: ['w1'],
    touched: ['w1'],
  },
  {
    name: 'failed on the way, and is to be retried',
    records: [...ran('join-worker', 'w1', { type: 'failed', exit: 1, message: '' }), { type: 'retried', at }],
    made: ['w1'],
    touched: ['w1'],
  },
  {
    name: 'refused before anything was changed, and is to be retried',
    records: [
      ...ran('join-worker', 'w1', { type: 'failed', exit: 94, changed: false, message: '' }),
      { type: 'retried', at },
    ],
    made: [],
    touched: [],
  },
  {
    name: 'taken back before',
    records: [
      ...ran('join-worker', 'w1', { type: 'failed', exit: 1, message: '' }),
      { type: 'undone', at, tasks: [taskKey(find('join-worker', 'w1'), 'w1')] },
      { type: 'retried', at },
    ],
    made: [],
    touched: [],
  },
  {
    name: 'refused before anything was changed',
    records: [...ran('join-worker', 'w1', { type: 'failed', exit: 94, changed: false, message: '' })],
    made: [],
    touched: [],
  },
  { name: 'checked only', records: [...ran('check', 'w2', fine)], made: [], touched: ['w2'] },
])('what an operation has made itself: $name', ({ records, made, touched }) => {
  expect(undoOf(create, replay(records), 'op')).toEqual({ operation: 'op', made, touched });
});

test('a rollback is about what was made, and names its operation to the machine', () => {
  const undo = { operation: 'op-1', touched: ['m1', 'w1'], made: ['w1'] };
  const steps = stepsOf(planned({ operation: 'cluster.delete', undo }));
  expect(steps.map(({ title, targets }) => `${title} ${targets.map(({ node }) => node).join()}`)).toEqual([
    'reset w1',
  ]);
  expect(steps.map((step) => ('argv' in step ? step.argv : []))).toEqual([['op-1']]);
});

test('after a rollback its tasks begin again, with new numbers', () => {
  const records = [...ran('init', 'm1', fine), ...ran('join-worker', 'w1', fine)];
  const tasks = undoneTasks(create, new Set(['w1']));
  const { tasks: known } = replay([...records, { type: 'undone', at, tasks }]);
  expect(known.get(taskKey(find('join-worker', 'w1'), 'w1'))).toMatchObject({
    state: 'Waiting',
    attempts: 1,
  });
  expect(known.get(taskKey(find('init', 'm1'), 'm1'))).toMatchObject({ state: 'Succeeded' });
});

const touched = ['m1', 'w1', 'w2'];
const cleanup = planned({
  operation: 'cluster.delete',
  undo: { operation: 'op', touched, made: ['m1', 'w1'] },
});
const reset = (node: string, outcome: TaskOutcome): readonly JournalRecord[] => {
  const step = stepsOf(cleanup).find(({ targets }) => targets.some((target) => target.node === node));
  const task = { at, step: step?.id ?? '', node, attempt: 1 };
  return [
    { type: 'intent', ...task, fingerprint: 'f' },
    { type: 'result', ...task, outcome },
  ];
};
const isolated = (node: string): JournalRecord => ({ type: 'isolated', at, node, message: '' });
const broken = { type: 'failed', exit: 1, message: '' } as const;
const lost = (launched: boolean): TaskOutcome => ({
  type: 'unreachable',
  refused: false,
  launched,
  message: '',
});

test.for<{ readonly name: string; readonly records: readonly JournalRecord[]; readonly undone: string[] }>([
  { name: 'all is done', records: [...reset('m1', fine), ...reset('w1', fine)], undone: ['m1', 'w1', 'w2'] },
  {
    name: 'lost after it was reset',
    records: [...reset('m1', fine), ...reset('w1', fine), isolated('m1')],
    undone: ['m1', 'w1', 'w2'],
  },
  { name: 'lost before it was reset', records: [...reset('m1', fine), isolated('w1')], undone: ['m1', 'w2'] },
  {
    name: 'reset in part',
    records: [...reset('m1', fine), ...reset('w1', broken)],
    undone: ['m1', 'w1', 'w2'],
  },
  {
    name: 'lost while it was reset',
    records: [...reset('m1', fine), ...reset('w1', lost(true))],
    undone: ['m1', 'w1', 'w2'],
  },
  {
    name: 'lost before the reset was started',
    records: [...reset('m1', fine), ...reset('w1', lost(false))],
    undone: ['m1', 'w2'],
  },
  {
    name: 'in the hands of another operation',
    records: [...reset('m1', fine), ...reset('w1', { ...broken, changed: false })],
    undone: ['m1', 'w2'],
  },
  { name: 'lost, with nothing to reset', records: [isolated('w2'), ...reset('m1', fine)], undone: ['m1'] },
])('the nodes that a rollback brought back: $name', ({ records, undone }) => {
  expect([...undoneNodes(cleanup, replay(records), { touched })]).toEqual(undone);
});
