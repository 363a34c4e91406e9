import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { launchBoathook, startBoathook, wholeCluster } from '../support/boathook.ts';
import { openTab, startBrowser } from '../support/browser.ts';
import { canaryTerminal, gameWorkload } from '../support/canary-terminal.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';

const rbac = 'rbac.authorization.k8s.io';
const bind = (role: string, group: string) => ({
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name: `${role}-${group}` },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: rbac, kind: 'Group', name: group }],
});
const looks = {
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRole',
  metadata: { name: 'looks' },
  rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
};

/** A proxy that signs users in: it names the present user with every request, and nobody else can. */
async function startProxy(
  target: string,
): Promise<{ readonly server: Server; user: string; groups: string }> {
  const { port } = new URL(target);
  const proxy = { server: createServer(), user: '', groups: '' };
  proxy.server.on('request', (incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      'x-forwarded-user': proxy.user,
      'x-forwarded-groups': proxy.groups,
    };
    const { method, url } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
  return proxy;
}

test('behind a proxy that signs users in: each user has the own name and rights', async () => {
  await using boathook = await startBoathook({
    flags: [...wholeCluster, '--profile', 'instant', '--authorization', 'rbac'],
  });
  const kubectl = (await findKubectls()).at(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl on this machine');
  const canary = canaryTerminal(openTerminal(kubectl, boathook, 'default'));
  await canary.apply(looks, bind('looks', 'crew'), bind('cluster-admin', 'captains'));
  await canary.apply(gameWorkload('GameDeployment', 'web', { replicas: 1 }));
  const flags = ['--in-cluster', '--trust-proxy-headers', '--port', '0', '--kubeconfig', boathook.kubeconfig];
  await using dashboard = launchBoathook(['dashboard', ...flags]);
  const target = /http:\/\/127\.0\.0\.1:\d+/.exec(await dashboard.lineLike(/^dashboard of /))?.[0] ?? '';
  const browser = await startBrowser();
  const proxy = await startProxy(target);
  try {
    const url = `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`;
    const { page, faults, context } = await openTab(browser);
    await page.goto(url);
    await page.getByText('Open it through that proxy').waitFor();

    Object.assign(proxy, { user: 'erin', groups: 'crew' });
    await page.goto(`${url}/release/GameDeployment/default/web`);
    await page.getByRole('heading', { name: 'web', level: 1 }).waitFor();
    await page.getByText(/Set image is not available: erin may not patch/).waitFor();

    Object.assign(proxy, { user: 'ahab', groups: 'captains' });
    await page.reload();
    await page.getByRole('button', { name: 'Set image' }).click();
    await page.getByLabel('Image of container python').fill('python:3.14');
    await page.getByLabel('Reason').fill('a whale');
    await page.getByRole('dialog').getByRole('button', { name: 'Set image' }).click();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('ahab').first().waitFor();
    await dashboard.errorLike(/act .*user=ahab verb=set-image/);

    const direct = await context.newPage();
    await direct.goto(target);
    await direct.getByText('Open it through that proxy').waitFor();
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
    proxy.server.closeAllConnections();
    proxy.server.close();
  }
});
