import { symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { startBoathook } from '../support/boathook.ts';
import { findKubectls } from '../support/kubectl.ts';
import { runProgram } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';

test('kubectl runs boathook as a plugin, with its flags after the name', async () => {
  await using cluster = await startBoathook({ flags: ['--controllers', 'none', '--authorization', 'rbac'] });
  // Only the plugin is on the path, as a link of its own.
  symlinkSync(join(root, 'kubectl-boathook'), join(cluster.home, 'kubectl-boathook'));
  const env = {
    HOME: cluster.home,
    PATH: `${cluster.home}${delimiter}/usr/bin${delimiter}/bin`,
    KUBECONFIG: cluster.kubeconfig,
  };
  for (const { file } of await findKubectls()) {
    const plugin = (...args: readonly string[]) => runProgram(file, ['boathook', ...args], { env });
    const listed = await plugin('hook', 'list', '-n', 'kube-system');
    expect(listed).toMatchObject({ code: 0, error: '', out: 'no runs in namespace kube-system\n' });
    const before = await plugin('-n', 'kube-system', '--context', 'boathook', 'hook', 'list');
    expect(before.out).toBe(listed.out);
    const eve = await plugin('--as', 'eve', 'hook', 'list', '--kubeconfig', cluster.kubeconfig);
    expect(eve).toMatchObject({
      code: 1,
      error: expect.stringContaining('User "eve" cannot list') as string,
    });

    const help = await plugin('release', 'get', '--help');
    expect(help.code).toBe(0);
    expect(help.out).toContain('Usage: kubectl boathook release get [options] <workload>\n');
    expect(help.out).toContain('\n  kubectl boathook release get gd/shop\n');
    expect(help.out).not.toMatch(/(?<!kubectl )boathook release/);
    const wrong = await plugin('release', 'got');
    expect(wrong).toMatchObject({
      code: 2,
      error: expect.stringContaining('(kubectl boathook --help shows') as string,
    });
  }
});

test('an error names the command as it was started', async () => {
  await using cluster = await startBoathook({ flags: ['--controllers', 'none'] });
  const env = { HOME: cluster.home, KUBECONFIG: cluster.kubeconfig, PATH: `${root}:/usr/bin:/bin` };
  const gone = await runProgram('kubectl', ['delete', 'crd', 'hookruns.tkex.tencent.com'], { env });
  expect(gone.code, gone.error).toBe(0);
  const { error } = await runProgram('kubectl', ['boathook', 'hook', 'list'], { env });
  expect(error).toContain('install it with kubectl boathook crds | kubectl apply -f -\n');
});

test('text names the command as it was started, JSON does not change', async () => {
  await using cluster = await startBoathook({ flags: ['--nodes', '3'] });
  const env = { HOME: cluster.home, KUBECONFIG: cluster.kubeconfig, PATH: `${root}:/usr/bin:/bin` };
  const kubectl = (args: readonly string[], stdin = '') => runProgram('kubectl', args, { env, stdin });
  const made = await kubectl(['apply', '-f', '-'], readProjectFile('examples/release/shop.yaml'));
  expect(made.code, made.error).toBe(0);
  const release = (...args: readonly string[]) => kubectl(['boathook', 'release', ...args]);
  expect((await release('pause', 'gd/shop')).out).toContain(
    'until kubectl boathook release resume gd/shop\n',
  );
  await expect
    .poll(async () => (await release('explain', 'gd/shop')).out)
    .toContain('\n      kubectl boathook release resume gd/shop\n');
  const { out } = await release('status', 'gd/shop', '-o', 'json');
  expect(out).toContain('run boathook release resume');
});
