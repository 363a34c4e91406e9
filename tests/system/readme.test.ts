import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { blockScript, expectPrinted } from '../support/guide-shell.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';

const [start, ...canary] = fencedBlocks(readProjectFile('README.md'))
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

/** What each block prints, as far as it is the same every time. */
const printed: readonly (readonly RegExp[])[] = [
  [
    /^hooktemplate\.tkex\.tencent\.com\/age created\ngamedeployment\.tkex\.tencent\.com\/shop created$/m,
    /^gd\/shop: Complete, /m,
    /^gd\/shop: images set: server: shop:1\.0 -> shop:1\.1\. A release starts at step 1\/6\.$/m,
    /^gd\/shop: Paused, step 2\/6, 4 of 4 pods ready, 1 updated: PausedByCanaryPauseStep: /m,
    /^Why it does not move$/m,
    /^gd\/shop: Promoted from step 2\/6 to step 4\/6\.$/m,
  ],
];

test('the first block starts the server the way this test does', () => {
  expect(start).toBe('npm ci && npm start\n');
});

test('a newcomer can follow the README from the start to a canary', async () => {
  using folder = tempDir();
  const home = join(folder.path, 'home');
  mkdirSync(home);
  const dataDir = join(folder.path, '.boathook');
  for (const name of ['boathook', 'examples']) symlinkSync(join(root, name), join(folder.path, name));
  // Nobody must be in the way: the port is free, and the data lie where the next blocks look for them.
  await using server = followProgram('npm', ['start', '--', '--port', '0', '--data-dir', dataDir], {
    cwd: root,
    inTerminal: true,
  });
  await server.lineLike(/^export KUBECONFIG=/);
  expect(await server.lineLike(/^ready in/)).toMatch(/^ready in \d+\.\d\d s$/);

  const ended = await runProgram('sh', ['-e', '-c', blockScript(canary)], {
    cwd: folder.path,
    env: { HOME: home, KUBECONFIG: '' },
  });
  expectPrinted(ended, printed);

  await server.stop('SIGINT');
  expect(readdirSync(join(dataDir, 'pki'))).not.toContain('lock-holder.json');
});
