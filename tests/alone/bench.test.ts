import { expect, test } from 'vitest';
import { figures } from '../../bench/apiserver/figures.ts';
import { runProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const bench = (...args: readonly string[]): ReturnType<typeof runProgram> =>
  runProgram(process.execPath, ['bench/main.ts', ...args], { cwd: root, env: { KUBEBUILDER_ASSETS: '' } });

type Row = {
  readonly id: string;
  readonly target: number;
  readonly measured: number;
  readonly rounds: readonly number[];
};

test('a quick run of the API server gives every figure that is promised', async () => {
  const { code, out, error } = await bench('apiserver', '--quick', '-o', 'json');
  expect(code, error).toBe(0);
  const report = JSON.parse(out) as { readonly quick: boolean; readonly figures: readonly Row[] };
  expect(report.quick).toBe(true);
  expect(report.figures.map(({ id, target }) => [id, target])).toEqual(
    figures.map(({ id, target }) => [id, target]),
  );
  const bad = report.figures.filter(
    ({ measured, rounds }) => ![measured, ...rounds].every((each) => Number.isFinite(each) && each > 0),
  );
  expect(bad).toEqual([]);
  expect(report.figures.filter(({ rounds }) => rounds.length === 0)).toEqual([]);
});

test('a figure that does not exist is named, and nothing is measured', async () => {
  const { code, out, error } = await bench('apiserver', '--only', 'create,teatime');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(error).toMatch(/^bench: --only names teatime, which does not exist: choose from start-empty/);
});
