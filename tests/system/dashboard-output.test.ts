import { once } from 'node:events';
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { openDashboardMachines } from '../support/dashboard-machines.ts';
import { startDashboardWorld, type DashboardWorld } from '../support/dashboard-world.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';
import { followProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';

/** Texts that would run a script if any of them became HTML. Each would set `window.hit`. */
const hostile = [
  '<script>window.hit=1</script>',
  '<img src=x onerror="window.hit=1">',
  '"><svg/onload=window.hit=1>',
  '</pre></section><iframe srcdoc="<script>parent.hit=1</script>">',
].join(' ');

const hit = 'window.hit ?? document.querySelectorAll("main script, main iframe, main img").length';

async function terminalOf(world: DashboardWorld): Promise<Terminal> {
  const kubectl = (await findKubectls()).at(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl on this machine');
  return openTerminal(kubectl, world.boathook, 'default');
}

const apply = (terminal: Terminal, ...objects: readonly object[]): Promise<string> =>
  terminal.run(['apply', '-f', '-'], { stdin: objects.map((each) => JSON.stringify(each)).join('\n') });

test('an operation on three machines with live output: hostile texts, ten megabytes, and another user', async () => {
  await using machines = await openDashboardMachines();
  const [one = '', two = '', three = ''] = machines.addresses;
  const file = join(machines.filesRoot, 'go');
  machines.script(
    'PreInstall',
    [
      'echo "begun on $BOATHOOK_NODE"',
      `test "$BOATHOOK_NODE" != ${two} || cat <<'END'\n${hostile}\nEND`,
      `test "$BOATHOOK_NODE" != ${three} || seq 1000000 1300000`,
      `while [ ! -e ${file} ]; do sleep 0.1; done`,
      'echo "the end on $BOATHOOK_NODE"',
    ].join('\n'),
  );
  await using world = await startDashboardWorld([
    '--files-root',
    machines.filesRoot,
    '--authorization',
    'rbac',
  ]);
  const terminal = await terminalOf(world);
  await apply(terminal, machines.cluster);

  const { page, faults } = await world.open('/cluster/prod');
  const choice = page.getByLabel('Script', { exact: true });
  const output = (address: string) =>
    page.getByRole('region', { name: `Output of node-pre/PreInstall on ${address}` });
  const choose = async (address: string): Promise<void> => {
    const option = choice.locator('option', { hasText: `PreInstall on ${address}` });
    await option.waitFor({ state: 'attached' });
    await choice.selectOption({ label: (await option.innerText()).trim() });
    await output(address).getByText(`begun on ${address}`).or(output(address)).first().waitFor();
  };
  await choose(two);
  await output(two).getByText('window.hit=1').waitFor();
  expect(await output(two).innerText()).toContain(hostile);
  expect(await page.evaluate(hit)).toBe(0);

  await choose(three);
  await page.getByText(/The first \d+ kB are not shown here/).waitFor();
  await page.getByText(`boathook cluster logs prod --node ${three} --step node-pre/PreInstall`).waitFor();
  expect(await output(three).innerText()).toMatch(/\n1\d{6}\n/);
  expect((await output(three).innerText()).length).toBeLessThanOrEqual(128 * 1024);

  // Ten megabytes while the page looks: it stays quick, and shows the end.
  const folder = join(world.boathook.dataDir, 'machines', 'prod', 'operations');
  const [operation = ''] = readdirSync(folder);
  const logs = join(folder, operation, 'logs', one);
  await choose(one);
  await output(one).getByText(`begun on ${one}`).waitFor();
  const name = readdirSync(logs).find((each) => each.startsWith('node-pre')) ?? '';
  appendFileSync(join(logs, name), `${'y'.repeat(99)}\n`.repeat(100_000).concat('all of it\n'));
  await output(one).getByText('all of it').waitFor();
  const began = performance.now();
  await page.getByRole('button', { name: `PreInstall on ${one}: running` }).click();
  await output(one).getByText('all of it').waitFor();
  expect(performance.now() - began).toBeLessThan(20_000);
  expect((await output(one).innerText()).length).toBeLessThanOrEqual(128 * 1024);
  await page.getByText(/The first 9\.\d MB|The first 10\.\d MB/).waitFor();
  expect(await axeFindings(page)).toEqual([]);

  await choose(two);
  writeFileSync(file, '');
  await output(two).getByText(`the end on ${two}`).waitFor();
  await page.getByText('ended', { exact: true }).first().waitFor();
  expect(faults).toEqual([]);

  await terminal.run(['create', 'serviceaccount', 'reader']);
  const rbac = 'rbac.authorization.k8s.io';
  await apply(
    terminal,
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'reads-clusters' },
      rules: [
        {
          apiGroups: ['platform.tkestack.io'],
          resources: ['clusters', 'machines'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'reads-clusters' },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'reads-clusters' },
      subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'default' }],
    },
  );
  await denied(world, (await terminal.run(['create', 'token', 'reader'])).trim());
  await overNetwork(world, two);
});

/** A user with a token, in a dashboard of its own process, who may not read logs. */
async function denied(world: DashboardWorld, token: string): Promise<void> {
  const flags = ['--in-cluster', '--host', '127.0.0.1', '--port', '0'];
  await using server = followProgram(join(root, 'boathook'), [
    'dashboard',
    ...flags,
    '--kubeconfig',
    world.boathook.kubeconfig,
  ]);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(await server.lineLike(/^dashboard of /))?.[0] ?? '';
  const { page, context } = await openTab(world.browser);
  await page.goto(`${url}/cluster/prod`);
  await page.getByLabel('Kubernetes token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(/No output can be shown: .*boathook-logs.*cannot be read/).waitFor();
  await context.close();
}

/** The administrator, in a dashboard of its own process, which reads the output over TLS with a client certificate. */
async function overNetwork(world: DashboardWorld, address: string): Promise<void> {
  await using server = followProgram(join(root, 'boathook'), [
    'dashboard',
    '--port',
    '0',
    '--kubeconfig',
    world.boathook.kubeconfig,
  ]);
  const link = /http:\S+/.exec(await server.lineLike(/^dashboard of /))?.[0] ?? '';
  const { page, context } = await openTab(world.browser);
  await page.goto(link);
  await page.getByRole('link', { name: 'prod' }).first().click();
  const choice = page.getByLabel('Script', { exact: true });
  await choice.selectOption({ label: `node-pre/PreInstall on ${address}` });
  await page.getByText(`the end on ${address}`).waitFor();
  await context.close();
}

test('a registration: the last request and reply about an instance, as text and without secrets', async () => {
  const service = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ status: { annotations: { note: hostile } } }));
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  try {
    await using world = await startDashboardWorld(['--profile', 'instant']);
    const terminal = await terminalOf(world);
    const { port } = service.address() as AddressInfo;
    await apply(terminal, definition());
    await terminal.run(['wait', '--for=condition=Established', 'crd/kuards.extensions.triggermesh.io']);
    await apply(
      terminal,
      registration({ name: 'kuards', hook: hookAt(`http://127.0.0.1:${port}`) }),
      kuard({ dbPassword: 'hunter2', note: hostile }, 'one'),
    );
    const { page, faults } = await world.open('/registration/kuards');
    const button = page.getByRole('button', { name: 'Last call of the hook about one' });
    await button.click();
    const request = page.getByRole('region', { name: 'Request' });
    await request.getByText('"name": "DBPASSWORD"').waitFor();
    await page.getByRole('region', { name: 'Reply' }).getByText('window.hit=1').waitFor();
    expect(await page.getByText(/status 200/).innerText()).toMatch(/reconcile · \d+ ms/);
    expect(await page.evaluate(hit)).toBe(0);
    expect(await page.content()).not.toContain('hunter2');
    expect(await axeFindings(page)).toEqual([]);
    await button.click();
    await request.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  } finally {
    service.close();
    service.closeAllConnections();
  }
});
