import { expect, test } from 'vitest';
import { gridColumns } from './grid-columns.ts';

const nodes = ['192.0.2.1', '192.0.2.2'];
const done = { state: 'done', message: '' } as const;

const columnsOf = (cells: readonly (readonly [string, string])[]) => {
  const steps = [...new Set(cells.map(([, step]) => step))];
  const found = Object.fromEntries(cells.map(([node, step]) => [`${node} ${step}`, done]));
  return gridColumns({ nodes, steps, cells: found }).map(({ title, stepOn }) => [
    title,
    ...nodes.map(stepOn),
  ]);
};

test('the steps of an installer that are the same on each node are one column', () => {
  const check = nodes.map((node) => [node, `install/check/check/${node}`] as const);
  const join = ['192.0.2.2', 'install/join/192.0.2.2/join/192.0.2.2'] as const;
  expect(columnsOf([['192.0.2.1', 'files/copy'], ...check, join])).toEqual([
    ['files/copy', 'files/copy', 'files/copy'],
    ['install/check', 'install/check/check/192.0.2.1', 'install/check/check/192.0.2.2'],
    ['install/join', join[1], join[1]],
  ]);
});

test('steps that one node executes for others keep a column each', () => {
  const drain = nodes.map((node) => ['192.0.2.1', `install/drain/drain/${node}`] as const);
  expect(columnsOf(drain).map(([title]) => title)).toEqual(drain.map(([, step]) => step));
});
