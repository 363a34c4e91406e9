import { expect, test } from 'vitest';
import { newestKubectl } from '../support/installed.ts';
import { blockScript, expectPrinted, openGuidePlace, startGuideServer } from '../support/guide-shell.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { runProgram } from '../support/program.ts';
import { readProjectFile } from '../support/project-files.ts';

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
  using place = openGuidePlace(newest.file, ['boathook', 'scripts', 'node_modules', 'deploy']);
  await using server = startGuideServer(start, place);
  await server.lineLike(/^ready in/);
  const ended = await runProgram('timeout', ['500', 'sh', '-e', '-c', blockScript(steps)], place);
  expectPrinted(ended, printed);
});
