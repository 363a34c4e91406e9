import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findKubectls } from '../support/kubectl.ts';
import { blockScript, expectPrinted, openGuidePlace, startGuideServer } from '../support/guide-shell.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';

const page = readProjectFile('docs/guide/canary.md');
const [start = '', service = '', ...steps] = fencedBlocks(page)
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

const row = (...counts: readonly number[]): RegExp =>
  new RegExp(
    `^(gamedeployment\\S*/)?test-gamedeployment +${counts.join(' +')} +\\S+ +[A-Z]\\w+ +\\d/5 +[A-Z]\\w+ *$`,
    'm',
  );

/** What each block prints, as far as it is the same every time. */
const printed: readonly (readonly RegExp[])[] = [
  [/^node-1 +Ready /m],
  [
    /^hooktemplate\.tkex\.tencent\.com\/test created$/m,
    /^gamedeployment\.tkex\.tencent\.com\/test-gamedeployment created$/m,
    row(4, 4, 4, 4, 4),
  ],
  [/test-gamedeployment patched$/m, row(4, 1, 1, 4, 4), /^Step 2\/5 pauses for manual approval/m],
  [row(4, 2, 2, 4, 4)],
  [/^test-gamedeployment-\S+-4-test +Failed /m, /^Step 5\/5: HookRun \S+-4-test is Failed/m],
  [/^45$/m, /SetStepIndex/],
  [row(4, 4, 2, 2, 4), row(4, 4, 4, 4, 4), /(^pod\/test-gamedeployment-\S+ +1\/1 +Running +1 .*\n){4}/m],
  [row(4, 4, 4, 4, 4)],
  [row(4, 4, 4, 4, 4), /^hookrun\S*\/test-gamedeployment-\S+-4-test +Successful /m],
  [
    /test-gamedeployment scaled$/m,
    row(3, 4, 4, 4, 4),
    /^hookrun\S*\/predelete-\S+ +Running /m,
    /^pod "test-gamedeployment-\S+" deleted/m,
    row(3, 3, 3, 3, 3),
  ],
  [/BreakGlass .*alice broke the glass \(the node is on fire\), written by kubectl/],
  [/^gamedeployment\S* "test-gamedeployment" deleted/m, /^hooktemplate\S* "test" deleted/m],
];

test('the first blocks start the server and the service', () => {
  expect(start).toBe('./boathook up\n');
  expect(service).toBe('sh scripts/with-node.sh examples/canary/server.ts\n');
});

const newest = (await findKubectls()).at(-1);

test.skipIf((newest?.minor ?? 0) < 29)(
  'the guide can be followed with the kubectl that it asks for',
  async () => {
    using place = openGuidePlace(newest?.file ?? '', ['boathook', 'scripts', 'node_modules']);
    const examples = join(place.cwd, 'examples/canary');
    mkdirSync(examples, { recursive: true });
    symlinkSync(join(root, 'examples/canary/server.ts'), join(examples, 'server.ts'));
    await using server = startGuideServer(start, place);
    // Nobody must be in the way, so the ports are any that are free.
    await using asked = followProgram('sh', ['-c', `exec ${service.trimEnd()} 0`], place);
    const url = /http:\S+/.exec(await asked.line())?.[0] ?? '';
    // Nobody waits for minutes here; all else is as written.
    for (const file of ['hooktemplate.yaml', 'gamedeployment.yaml']) {
      const text = readProjectFile(`examples/canary/${file}`)
        .replace('http://127.0.0.1:9091', url)
        .replace('duration: 60', 'duration: 4')
        .replace('gracePeriodSeconds: 30', 'gracePeriodSeconds: 3');
      writeFileSync(join(examples, file), text);
    }
    await server.lineLike(/^ready in/);
    expectPrinted(await runProgram('sh', ['-e', '-c', blockScript(steps)], place), printed);
  },
);
