import { test } from 'vitest';
import { newestKubectl } from '../support/installed.ts';
import { blockScript, expectPrinted, openGuidePlace, startGuideServer } from '../support/guide-shell.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { readProjectFile } from '../support/project-files.ts';

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
  using place = openGuidePlace(newest.file, ['boathook', 'deploy']);
  await using server = startGuideServer(start, place);
  await server.lineLike(/^ready in/);
  await using running = followProgram('sh', ['-c', `exec ${controllers.trimEnd()}`], place);
  await running.lineLike(/^running hookrun/);
  expectPrinted(await runProgram('sh', ['-e', '-c', blockScript(steps)], place), printed);
});
