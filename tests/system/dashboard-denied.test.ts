import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBoathook, wholeCluster } from '../support/boathook.ts';
import { openTab, startBrowser } from '../support/browser.ts';
import { canaryTerminal, imagePath } from '../support/canary-terminal.ts';
import { shortCanary } from '../support/canary-walk.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';
import { followProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const rbac = 'rbac.authorization.k8s.io';
const reader = [
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'reads-all' },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'reads-all' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'reads-all' },
    subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'default' }],
  },
];

test('a user without the right sees the button disabled with the reason, and is signed out with the token', async () => {
  await using boathook = await startBoathook({
    flags: [...wholeCluster, '--profile', 'instant', '--authorization', 'rbac'],
  });
  const browser = await startBrowser();
  try {
    const kubectl = (await findKubectls()).at(-1);
    if (kubectl === undefined) throw new Error('there is no kubectl on this machine');
    const terminal = openTerminal(kubectl, boathook, 'default');
    const canary = canaryTerminal(terminal);
    await terminal.run(['create', 'serviceaccount', 'reader']);
    await canary.apply(...reader, ...shortCanary('web', 'http://127.0.0.1:1'));
    const token = (await terminal.run(['create', 'token', 'reader'])).trim();
    await canary.untilStatus('gamedeployment', 'web', { phase: 'Complete' });
    await canary.replace('gamedeployment', 'web', imagePath, 'python:3.13');

    const flags = ['--in-cluster', '--host', '127.0.0.1', '--port', '0', '--kubeconfig', boathook.kubeconfig];
    await using server = followProgram(join(root, 'boathook'), ['dashboard', ...flags]);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(await server.lineLike(/^dashboard of /))?.[0] ?? '';
    const { page, faults } = await openTab(browser);
    await page.goto(`${url}/release/GameDeployment/default/web`);
    await page.getByLabel('Kubernetes token').fill('not-a-token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText(/./).waitFor();
    await page.getByLabel('Kubernetes token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('until a user promotes it').waitFor();
    const promote = page.getByRole('button', { name: 'Promote' });
    expect(await page.getByText('Promote is not available').innerText()).toMatch(
      /system:serviceaccount:default:reader/,
    );
    expect(await promote.isDisabled()).toBe(true);

    await terminal.run(['delete', 'serviceaccount', 'reader']);
    await canary.replace('gamedeployment', 'web', '/spec/replicas', 3);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});
