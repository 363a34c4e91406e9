import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';
import { expectBadInput, expectPage } from '../support/rehearsal-pages.ts';

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

const rehearse = (args: readonly string[]): Promise<Ended> =>
  runProgram(join(root, 'boathook'), ['rehearse', ...args], { cwd: folder.path });

const canary = ['-f', join(root, 'examples/canary'), '--change', 'image=python:3.5'];

/** The canary of the examples and another workload, which waits for no user. */
const two = [...canary, '-f', 'other.yaml'];

beforeAll(() => {
  const manifest = readFileSync(join(root, 'examples/canary/gamedeployment.yaml'), 'utf8');
  writeFileSync(
    join(folder.path, 'other.yaml'),
    manifest.replaceAll('test-gamedeployment', 'other').replace('pause: {}', 'pause: { duration: 1 }'),
  );
});

test('a release that would stop decides the exit code, also beside one that would wait', async () => {
  const { code, out } = await rehearse([...two, '--approve', 'never', '--hook', 'test=fail']);
  expect(out).toMatch(/^The release would wait for approval at step 2\/5/m);
  expect(out).toMatch(/^The release would stop at step 5\/5/m);
  expect(code).toBe(1);
});

test.for([
  canary,
  ['cluster', '-f', join(root, 'examples/machines/upgrade/cluster.yaml'), 'upgrade'],
  ['registration', '-f', join(root, 'examples/reconcile'), '--edit', join(root, 'examples/reconcile/edited')],
])('a page that cannot be written is refused before anything is rehearsed: %s', async (args) => {
  const page = 'nowhere/page.html';
  expectBadInput(await rehearse([...args, '--html', page]), /--html nowhere\/page\.html cannot be written/);
  expectBadInput(await rehearse([...args, '--html', '.']), /cannot be written: .*not of a folder/);
});

test('many seeds of two workloads: a summary of each, with what was assumed', async () => {
  const { out, error } = await rehearse([...two, '--runs', '3']);
  expect(error).toBe('');
  const [one = '', other = ''] = out.split('\n\n');
  expect(one).toMatch(/^3 rehearsals of gd\/test-gamedeployment /);
  expect(one).toMatch(/^Duration: least [\dms]+, median [\dms]+, 90 % within [\dms]+, longest [\dms]+$/m);
  expect(one).toMatch(
    /^Assumed:\n {2}- pauses were approved in 3 of 3 rehearsals \(--approve\)\n {2}- HookTemplate test was assumed to pass/m,
  );
  expect(other).toMatch(/^3 rehearsals of gd\/other /);
  expect(other).toMatch(/^Assumed:\n {2}- HookTemplate test was assumed to pass/m);
});

test('many seeds of two workloads as JSON: a summary of each', async () => {
  const { out } = await rehearse([...two, '--runs', '2', '-o', 'json']);
  const sameForBoth = { namespace: 'default', runs: 2, outcomes: [{ type: 'Completes', runs: 2, seed: 1 }] };
  expect(JSON.parse(out)).toMatchObject({
    summaries: [
      { workload: 'gd/test-gamedeployment', ...sameForBoth },
      { workload: 'gd/other', ...sameForBoth },
    ],
    rehearsals: [
      { workload: 'gd/test-gamedeployment', seed: 1 },
      { workload: 'gd/test-gamedeployment', seed: 2 },
      { workload: 'gd/other', seed: 1 },
      { workload: 'gd/other', seed: 2 },
    ],
  });
});

test('the page of many seeds has shares, distributions and an example of each outcome', async () => {
  const page = join(folder.path, 'runs.html');
  const { code } = await rehearse([...canary, '--pods', 'crash=20%', '--runs', '6', '--html', page]);
  expect(code).toBe(1);
  await expectPage(page, async (tab) => {
    const shares = await tab.locator('.shares li').allInnerTexts();
    expect(shares.join('\n')).toMatch(/^\d of 6 \(\d+ %\) complete \(for instance --seed \d\)$/m);
    expect(shares.join('\n')).toMatch(/^\d of 6 \(\d+ %\) stop: /m);
    expect(await tab.getByRole('img', { name: /^Durations of 6 rehearsals, from/ }).count()).toBe(1);
    expect(await tab.getByRole('img', { name: /^Lowest availability of 6 rehearsals/ }).count()).toBe(1);
    expect(await tab.getByRole('table').count()).toBe(shares.length);
    expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});
