import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';
import { expectBadInput } from '../support/rehearsal-pages.ts';

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
