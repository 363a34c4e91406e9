import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { findKubectls } from '../support/kubectl.ts';
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
  { timeout: 240_000 },
  async () => {
    using folder = tempDir();
    const place = (name: string, target: string): void => symlinkSync(target, join(folder.path, name));
    place('boathook', join(root, 'boathook'));
    place('scripts', join(root, 'scripts'));
    for (const name of ['home', 'bin', 'examples/canary'])
      mkdirSync(join(folder.path, name), { recursive: true });
    place('bin/kubectl', newest?.file ?? '');
    place('node_modules', join(root, 'node_modules'));
    place('examples/canary/server.ts', join(root, 'examples/canary/server.ts'));
    const env = {
      HOME: join(folder.path, 'home'),
      PATH: [join(folder.path, 'bin'), process.env['PATH'] ?? ''].join(delimiter),
      KUBECONFIG: '',
    };
    // Nobody must be in the way, so the ports are any that are free.
    await using server = followProgram('sh', ['-c', `exec ${start.trimEnd()} --port 0`], {
      cwd: folder.path,
      env,
    });
    await using asked = followProgram('sh', ['-c', `exec ${service.trimEnd()} 0`], { cwd: folder.path, env });
    const url = /http:\S+/.exec(await asked.line())?.[0] ?? '';
    // Nobody waits for minutes here; all else is as written.
    for (const file of ['hooktemplate.yaml', 'gamedeployment.yaml']) {
      const text = readProjectFile(`examples/canary/${file}`)
        .replace('http://127.0.0.1:9091', url)
        .replace('duration: 60', 'duration: 4')
        .replace('gracePeriodSeconds: 30', 'gracePeriodSeconds: 3');
      writeFileSync(join(folder.path, 'examples/canary', file), text);
    }
    await server.lineLike(/^ready in/);

    const script = steps.map((text, at) => `echo '== block ${at} =='\n${text}`).join('');
    const { code, out, error } = await runProgram('sh', ['-e', '-c', script], { cwd: folder.path, env });
    const sections = out.split(/^== block \d+ ==\n/m).slice(1);
    expect(code, `${sections.at(-1)}${error}`).toBe(0);
    expect(sections).toHaveLength(printed.length);
    for (const [at, patterns] of printed.entries())
      for (const pattern of patterns) expect(sections[at], `block ${at}`).toMatch(pattern);
  },
);
