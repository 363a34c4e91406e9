import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { findKubectls } from '../support/kubectl.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';

const page = readProjectFile('docs/guide/reconcile.md');
const [alone = '', start = '', service = '', ...steps] = fencedBlocks(page)
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

/** What each block prints, as far as it is the same every time. */
const printed: readonly (readonly RegExp[])[] = [
  [/0 errors/, /kind: Deployment/, /name: FROM_HOOK_VAR/],
  [/crdregistration\S*\/kuard created/, /crdregistration\S*\/kuard condition met/],
  [
    /kuard\S*\/my-kuard-extension condition met/,
    /deployment\.apps\/kuard-my-kuard-extension +1\/1/,
    /^VARIABLE1=/m,
    /^FROM_HOOK_VAR=/m,
    /^KuardReady True /m,
    /^Ready True /m,
  ],
  [/kuard\S* "my-kuard-extension" deleted/],
];

test('the first blocks need no cluster, start the server and the hook', () => {
  expect(alone).toMatch(/^\.\/boathook registration lint /);
  expect(start).toBe('./boathook up\n');
  expect(service).toBe('sh scripts/with-node.sh examples/reconcile/hook.ts\n');
});

const newest = (await findKubectls()).at(-1);

test.skipIf((newest?.minor ?? 0) < 29)(
  'the guide can be followed with the kubectl that it requires',
  async () => {
    using folder = tempDir();
    const place = (name: string, target: string): void => symlinkSync(target, join(folder.path, name));
    place('boathook', join(root, 'boathook'));
    place('scripts', join(root, 'scripts'));
    for (const name of ['home', 'bin', 'examples/reconcile'])
      mkdirSync(join(folder.path, name), { recursive: true });
    place('bin/kubectl', newest?.file ?? '');
    const env = {
      HOME: join(folder.path, 'home'),
      PATH: [join(folder.path, 'bin'), process.env['PATH'] ?? ''].join(delimiter),
      KUBECONFIG: '',
    };
    await using server = followProgram('sh', ['-c', `exec ${start.trimEnd()} --port 0`], {
      cwd: folder.path,
      env,
    });
    await using hook = followProgram('sh', ['-c', `exec ${service.trimEnd()}`], {
      cwd: root,
      env: { ...env, PORT: '0' },
    });
    const port = /\d+$/.exec(await hook.line())?.[0] ?? '';
    // Nobody must be in the way, so the ports are any that are free; all else is as written.
    for (const file of ['crd.yaml', 'instance.yaml', 'registration.yaml', 'reply.json', 'service.yaml']) {
      const text = readProjectFile(`examples/reconcile/${file}`).replace('port: 8080', `port: ${port}`);
      writeFileSync(join(folder.path, 'examples/reconcile', file), text);
    }
    await server.lineLike(/^ready in/);

    const script = [alone, ...steps].map((text, at) => `echo '== block ${at} =='\n${text}`).join('');
    const { code, out, error } = await runProgram('sh', ['-e', '-c', script], { cwd: folder.path, env });
    const sections = out.split(/^== block \d+ ==\n/m).slice(1);
    expect(code, `${sections.at(-1)}${error}`).toBe(0);
    expect(sections).toHaveLength(printed.length);
    for (const [at, patterns] of printed.entries())
      for (const pattern of patterns) expect(sections[at], `block ${at}`).toMatch(pattern);
  },
);
