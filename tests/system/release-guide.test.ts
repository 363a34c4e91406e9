import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { programOf } from '#cli/program.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { findKubectls } from '../support/kubectl.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';

const page = readProjectFile('docs/guide/release.md');
const [start = '', service = '', ...steps] = fencedBlocks(page)
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

/** The lines of `status` where a release waits, and what the shell then prints. */
const waits = (step: string): RegExp =>
  new RegExp(`^gd/shop: Paused, step ${step}, .*\\n(.*\\n)*exit code 4$`, 'm');
const complete = /^gd\/shop: Complete, step 6\/6, 4 of 4 pods ready/m;

/** What each block prints, as far as it is the same every time. */
const printed: readonly (readonly RegExp[])[] = [
  [/^gamedeployment\.tkex\.tencent\.com\/shop created$/m, complete],
  [
    /^gd\/shop: images set: server: shop:1\.0 -> shop:1\.1\./m,
    waits('2/6'),
    /^gd\/shop +Paused +2\/6 .* shop:1\.1 /m,
    /^Step: +2\/6$/m,
    /revision 2 \(update\) +shop:1\.1/,
  ],
  [/^Why it does not move$/m, /^What happens next$/m, /^ +boathook release promote gd\/shop$/m],
  [/^gd\/shop: Promoted from step 2\/6 /m, /^gd\/shop: Promoted from step 4\/6 /m, waits('5/6')],
  [/hook of step 5: Failed/, /age: 45, needs asInt\(result\) < 30/, /runs again/, complete],
  [
    /^2 +Complete .* shop:1\.1 .*5:Failed 5:Successful/m,
    /promote by boathook-admin, .*: first pod checked$/m,
    /^- +- image: shop:1\.0$/m,
    /^\+ +- image: shop:1\.1$/m,
  ],
  [
    /^gd\/shop is paused: no pod is updated until/m,
    waits('1/6'),
    /^gd\/shop continues/m,
    waits('2/6'),
    /^gd\/shop is paused by step 2\/6, not by a user; .*promote gd\/shop\nexit code 4$/m,
  ],
  [/^gd\/shop: Aborted at step 2\/6/m, /^exit code 1$/m, /starts again at step 1\/6/, waits('2/6')],
  [/^gd\/shop: Promoted from step 2\/6 to step 4\/6\.$/m, /to the end, without hooks\.$/m, complete],
  [
    /template set back to revision 2 \(server: shop:1\.2 -> shop:1\.1\)/,
    waits('2/6'),
    /template set back to revision 1 \(server: shop:1\.1 -> shop:1\.0\)/,
    complete,
  ],
  [/^gd\/shop: its pods are replaced by new ones/m, waits('2/6'), complete],
  [
    /^1 workload: 0 errors, 0 warnings$/m,
    /mistakes\.yaml:\d+: .*there is no HookTemplate aeg in the files \(did you mean age\?\)$/m,
    /take at least 9h/,
    /^exit code 1$/m,
  ],
  [/^gamedeployment\.tkex\.tencent\.com\/shop$/m, /"phase": "Complete"/],
  [/^Name: +gd\/shop$/m, /^gamedeployments\.tkex\.tencent\.com +v1alpha1 +Served$/m],
  [/^:4$/m],
  [/^gamedeployment\S* "shop" deleted/m],
];

test('the first blocks start the server and the service', () => {
  expect(start).toBe('./boathook up\n');
  expect(service).toBe('sh scripts/with-node.sh examples/canary/server.ts\n');
});

test('every verb is in a block', () => {
  const release = programOf('boathook', () => undefined).commands.find((each) => each.name() === 'release');
  const verbs = (release?.commands ?? []).flatMap((each) =>
    each.commands.length === 0 ? [each.name()] : each.commands.map((sub) => `${each.name()} ${sub.name()}`),
  );
  const missing = verbs.filter((verb) => !steps.some((text) => text.includes(`boathook release ${verb} `)));
  expect(missing.filter((verb) => verb !== 'list')).toEqual([]);
  expect(steps.join('')).toContain('boathook release list\n');
});

const newest = (await findKubectls()).at(-1);

test.skipIf((newest?.minor ?? 0) < 29)(
  'the guide can be followed with the kubectl that it asks for',
  async () => {
    using folder = tempDir();
    const place = (name: string, target: string): void => symlinkSync(target, join(folder.path, name));
    for (const name of ['boathook', 'kubectl-boathook', 'scripts', 'node_modules'])
      place(name, join(root, name));
    for (const name of ['home', 'bin', 'examples/canary', 'examples/release'])
      mkdirSync(join(folder.path, name), { recursive: true });
    place('bin/kubectl', newest?.file ?? '');
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
    const text = readProjectFile('examples/release/shop.yaml').replace('http://127.0.0.1:9091', url);
    writeFileSync(join(folder.path, 'examples/release/shop.yaml'), text);
    await server.lineLike(/^ready in/);

    const script = steps.map((block, at) => `echo '== block ${at} =='\n${block}`).join('');
    const { code, out, error } = await runProgram('sh', ['-e', '-c', `exec 2>&1\n${script}`], {
      cwd: folder.path,
      env,
    });
    const sections = out.split(/^== block \d+ ==\n/m).slice(1);
    expect(code, `${sections.at(-1)}${error}`).toBe(0);
    expect(sections).toHaveLength(printed.length);
    for (const [at, patterns] of printed.entries())
      for (const pattern of patterns) expect(sections[at], `block ${at}`).toMatch(pattern);
  },
);
