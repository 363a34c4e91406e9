import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { newestKubectl } from '../support/installed.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';

const page = readProjectFile('docs/guide/upgrade.md');
const [start = '', ...steps] = fencedBlocks(page)
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

/** What each block prints, as far as it is the same every time. */
const printed: readonly (readonly RegExp[])[] = [
  [/^deployment\.apps\/boathook-controller created$/m, /^gamedeployment\.tkex\.tencent\.com\/shop patched$/m],
  [
    /Boathook is installed$/m,
    /^ok +others +No other controller/m,
    /image updated$/m,
    /successfully rolled out$/m,
  ],
  [/INFO {2}this process is the leader .* term=1$/m, /^ok +leader +The leader is new;/m],
  [/^shop .* Paused +2\/3 /m, /^the same pods$/m],
  [/^deployment\.apps\/boathook-controller rolled back$/m, /successfully rolled out$/m],
  [/^ +controllers +installed, the leader is new$/m, /^ +objects +GameDeployment 1$/m, /--cascade=orphan$/m],
  [/^deployment\.apps "boathook-controller" deleted/m, /^the same pods$/m],
  [
    /^gamedeployment\.tkex\.tencent\.com "shop" deleted/m,
    /^0 objects released$/m,
    /^namespace "boathook-system" deleted/m,
    /^the same pods$/m,
  ],
];

test('the first block starts the server', () => {
  expect(start).toBe('./boathook up --controllers none\n');
});

const newest = await newestKubectl();

test.skipIf(newest.minor < 29)('the guide can be followed', async () => {
  using folder = tempDir();
  for (const name of ['boathook', 'scripts', 'node_modules', 'deploy'])
    symlinkSync(join(root, name), join(folder.path, name));
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
  const script = steps.map((text, at) => `echo '== block ${at} =='\n${text}`).join('');
  const { code, out, error } = await runProgram('timeout', ['100', 'sh', '-e', '-c', script], { cwd, env });
  const sections = out.split(/^== block \d+ ==\n/m).slice(1);
  expect(code, `${sections.at(-1)}${error}`).toBe(0);
  expect(sections).toHaveLength(printed.length);
  for (const [at, patterns] of printed.entries())
    for (const pattern of patterns) expect(sections[at], `block ${at}`).toMatch(pattern);
});
