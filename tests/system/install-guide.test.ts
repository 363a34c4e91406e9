import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { newestKubectl } from '../support/installed.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';

const page = readProjectFile('docs/guide/install.md');
const [start = '', controllers = '', ...steps] = fencedBlocks(page)
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

/** What each block prints, as far as it is the same every time. */
const printed: readonly (readonly RegExp[])[] = [
  [/Boathook is not installed yet$/m, /^ok +version /m, /^ok +rights +You may do all/m],
  [
    /^deployment\.apps\/boathook-controller created$/m,
    /successfully rolled out$/m,
    /Boathook is installed$/m,
    /^ok +kinds /m,
    /^ok +controllers +2 of 2 pods/m,
    /^ok +rights +The controllers may do all/m,
    /^ok +leader /m,
    /^ok +hooks /m,
  ],
  [/^deployment\.apps\/boathook-controller configured$/m, /registry\.example\.com\/boathook:/],
  [/^deployment\.apps\/boathook-dashboard created \(server dry run\)$/m],
  [/^role\S*\/boathook-controller-secrets created$/m, /^boathook-controller-secrets +Role\//m],
  [/^0$/m],
  [/^clusterrole\S*\/boathook-kuards created$/m],
];

const newest = await newestKubectl();

test.skipIf(newest.minor < 21)('the guide can be followed with the kubectl that it asks for', async () => {
  using folder = tempDir();
  const place = (name: string): void => symlinkSync(join(root, name), join(folder.path, name));
  for (const name of ['boathook', 'deploy']) place(name);
  for (const name of ['home', 'bin']) mkdirSync(join(folder.path, name));
  symlinkSync(newest.file, join(folder.path, 'bin/kubectl'));
  const env = {
    HOME: join(folder.path, 'home'),
    PATH: [join(folder.path, 'bin'), process.env['PATH'] ?? ''].join(delimiter),
    KUBECONFIG: '',
  };
  const cwd = folder.path;
  // Nobody must be in the way, so the port is any that is free; all else is as written.
  await using server = followProgram('sh', ['-c', `exec ${start.trimEnd()} --port 0`], { cwd, env });
  await server.lineLike(/^ready in/);
  await using running = followProgram('sh', ['-c', `exec ${controllers.trimEnd()}`], { cwd, env });
  await running.lineLike(/^running hookrun/);
  const script = steps.map((text, at) => `echo '== block ${at} =='\n${text}`).join('');
  const { code, out, error } = await runProgram('sh', ['-e', '-c', script], { cwd, env });
  const sections = out.split(/^== block \d+ ==\n/m).slice(1);
  expect(code, `${sections.at(-1)}${error}`).toBe(0);
  expect(sections).toHaveLength(printed.length);
  for (const [at, patterns] of printed.entries())
    for (const pattern of patterns) expect(sections[at], `block ${at}`).toMatch(pattern);
});
