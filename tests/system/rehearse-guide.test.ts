import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { runProgram } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';

const blocks = fencedBlocks(readProjectFile('docs/guide/rehearse.md'));
const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
const shown = blocks.filter(({ language }) => language === 'text').map(({ text }) => text);

/** Seconds depend on how often random numbers are drawn, which differs between versions. */
const timeless = (text: string): string =>
  text.replaceAll(/^ +\d+:\d\d /gm, ' 0:00 ').replaceAll(/(takes|after) [\dms]+ */g, '$1 0s ');

/** What each block prints. */
const printed: readonly RegExp[] = [
  /^exit code 1$/m,
  /call 2 fails, by --hook/,
  /^The release would wait for approval at step 2\/5[^]*^exit code 4$/m,
  /^5 rehearsals of gd\/test-gamedeployment[^]*\(for instance --seed \d\)/m,
  /"type": "Completes"/,
  /Machines at the end:[^]*192\.0\.2\.31 is the only control plane[^]*^exit code 1$/m,
  /^It would be rolled back from \S+ on: cleanup of master-0, worker-0, worker-1, complete after/m,
  /^5 rehearsals of upgrade of cluster harbour[^]*\(for instance --seed \d\)/m,
  /^The edit would complete after \d+s and replace the pods of 1 of 1 instance\.$/m,
  /^Kuard default\/my-kuard-extension {2}fails[^]*500: fails, by --hook[^]*^exit code 1$/m,
];

test('the commands of the guide print what it shows', async () => {
  using folder = tempDir();
  mkdirSync(join(folder.path, 'bin'));
  symlinkSync(join(root, 'boathook'), join(folder.path, 'bin/boathook'));
  symlinkSync(join(root, 'examples'), join(folder.path, 'examples'));
  const env = { PATH: `${join(folder.path, 'bin')}${delimiter}${process.env['PATH'] ?? ''}` };
  expect(commands).toHaveLength(printed.length);
  const outputs: string[] = [];
  for (const [i, command] of commands.entries()) {
    const { out } = await runProgram('sh', ['-c', command], { cwd: folder.path, env });
    expect(out).toMatch(printed[i] ?? /never/);
    outputs.push(out);
  }
  const all = timeless(outputs.join('\n'));
  for (const text of shown) expect(all).toContain(timeless(text));
  expect(existsSync(join(folder.path, 'rehearsal.html'))).toBe(true);
  expect(readFileSync(join(folder.path, 'rehearsal.html'), 'utf8')).toContain('step 5/5');
});
