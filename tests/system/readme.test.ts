import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { fencedBlocks } from '../support/markdown.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';

const [start, ...firstLook] = fencedBlocks(readProjectFile('README.md'))
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

/** What each block prints, as far as it is the same every time. */
const printed: readonly (readonly RegExp[])[] = [
  [
    /^Server Version: .*v1\.\d+\.\d+\+boathook\.\d/m,
    /^default +Active/m,
    /^kube-system +Active/m,
    /^deployments +deploy +apps\/v1 +true +Deployment$/m,
  ],
  [
    /^namespace\/harbour created\nconfigmap\/tide created$/m,
    /^NAME +DATA +AGE\n(.+\n)*tide +1 /m,
    /^data:\n {2}level: low$/m,
  ],
  [/^configmap\/tide labeled$/m, /^configmap\/tide patched$/m, /^high$/m],
  [
    /^customresourcedefinition\.apiextensions\.k8s\.io\/lanterns\.harbour\.example\.com created$/m,
    /^customresourcedefinition\.apiextensions\.k8s\.io\/lanterns\.harbour\.example\.com condition met$/m,
    /^lantern\.harbour\.example\.com\/pier created$/m,
    /^NAME +COLOUR\npier +green$/m,
  ],
  [
    /^deployment\.apps\/web created$/m,
    /^deployment "web" successfully rolled out$/m,
    /^(web-\S+ +1\/1 +Running +0 +\S+ +10\.\S+ +node-\d .*\n){3}/m,
  ],
  [
    /^customresourcedefinition\.apiextensions\.k8s\.io "lanterns\.harbour\.example\.com" deleted/m,
    /^namespace "harbour" deleted/m,
  ],
];

test('the first block starts the server the way this test does', () => {
  expect(start).toBe('npm ci && npm start\n');
});

test('a newcomer can follow the README from the start to the clean-up', async () => {
  using folder = tempDir();
  const home = join(folder.path, 'home');
  mkdirSync(home);
  const dataDir = join(folder.path, '.boathook');
  // Nobody must be in the way: the port is free, and the data lie where the next blocks look for them.
  await using server = followProgram('npm', ['start', '--', '--port', '0', '--data-dir', dataDir], {
    cwd: root,
    inTerminal: true,
  });
  await server.lineLike(/^export KUBECONFIG=/);
  expect(await server.lineLike(/^ready in/)).toMatch(/^ready in \d+\.\d\d s$/);

  const marker = (at: number): string => `== block ${at} ==`;
  const script = firstLook.map((text, at) => `echo '${marker(at)}'\n${text}`).join('');
  const { code, out, error } = await runProgram('sh', ['-e', '-c', script], {
    cwd: folder.path,
    env: { HOME: home, KUBECONFIG: '' },
  });
  expect({ code, error }).toMatchObject({ code: 0 });
  const sections = out.split(/^== block \d+ ==\n/m).slice(1);
  expect(sections).toHaveLength(printed.length);
  for (const [at, patterns] of printed.entries())
    for (const pattern of patterns) expect(sections[at], `block ${at}`).toMatch(pattern);

  await server.stop('SIGINT');
  expect(readdirSync(join(dataDir, 'pki'))).not.toContain('lock-holder.json');
});
