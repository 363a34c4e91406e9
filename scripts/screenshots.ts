import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { openDashboardMachines, type DashboardMachines } from '../tests/support/dashboard-machines.ts';
import { openTab, type Look, type Tab } from '../tests/support/browser.ts';
import { startDashboardWorld, type DashboardWorld } from '../tests/support/dashboard-world.ts';
import { followProgram, runProgram } from '../tests/support/program.ts';
import { root } from './run-tool.ts';
import { shrinkPng } from './shrink-png.ts';

/** What the hook service returns, one after the other: it gets worse, so that a chart has a shape. */
const ages = [14, 17, 16, 22, 26, 37, 45];

const themes = ['light', 'dark'] as const;
const widths = [1280, 390] as const;
const release = '/release/GameDeployment/default/test-gamedeployment';

/**
 * `sh scripts/with-node.sh scripts/screenshots.ts [FOLDER]`: pictures of every page, from a real cluster whose canary is
 * walked as in the guide.
 */
async function main([folder = 'docs/guide/images']: readonly string[]): Promise<void> {
  mkdirSync(resolve(folder), { recursive: true });
  const service = createServer((_, response) => void response.end(`{"age": ${ages.shift() ?? 45}}`));
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const hook = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  await using machines = await openDashboardMachines();
  await using world = await startDashboardWorld(['--files-root', machines.filesRoot]);
  const kubectl = (args: readonly string[], stdin = ''): Promise<unknown> => kubectlOf(world, args, stdin);
  const shoot = (
    name: string,
    path: string,
    seen: string,
    before?: (page: Page) => Promise<void>,
  ): Promise<void> =>
    shootAll({ world, folder, name, path, seen, before: before ?? (() => Promise.resolve()) });
  await shoot('empty', '/', 'no release');
  await kubectl(['apply', '-f', '-'], manifests(hook));
  const { page } = await world.open(release);
  await page.getByText('Complete').first().waitFor();
  await kubectl(patchImage);
  await page.getByRole('button', { name: 'Promote' }).waitFor();
  await page.getByText('until a user promotes it').waitFor();
  await shoot('release-pause', release, 'until a user promotes it');
  await shoot('promote', release, 'until a user promotes it', async (each) => {
    await each.getByRole('button', { name: 'Promote' }).click();
    await each.getByLabel('Reason').fill('errors are at zero');
  });
  await page.getByRole('button', { name: 'Promote' }).click();
  await page.getByLabel('Reason').fill('errors are at zero');
  await page.getByRole('dialog').getByRole('button', { name: 'Promote' }).click();
  await page.getByText('Failed').first().waitFor({ timeout: 60_000 });
  await page.getByText('PausedByStepBasedHook').first().waitFor();
  await shoot('release', release, 'PausedByStepBasedHook');
  await shootHooks(page, shoot);
  await shootCluster(machines, kubectl, shoot);
  await shootRegistration(kubectl, shoot);
  await shoot('overview', '/', 'Waits for you');
  await shoot('sign-in', '', 'Sign in');
  service.close();
  service.closeAllConnections();
}

type Kubectl = (args: readonly string[], stdin?: string) => Promise<unknown>;
type Shoot = (
  name: string,
  path: string,
  seen: string,
  before?: (page: Page) => Promise<void>,
) => Promise<void>;

/** The run that failed, with the evidence of its last call, and its template, tried with a recorded reply. */
async function shootHooks(page: Page, shoot: Shoot): Promise<void> {
  const run = await page
    .getByRole('region', { name: 'Hook runs' })
    .getByRole('link')
    .first()
    .getAttribute('href');
  await shoot('hookrun', run ?? '', 'Measurements', (each) => each.locator('.call summary').last().click());
  await shoot('template', '/template/default/test', 'Try it', async (each) => {
    await each.getByText('Use a recorded reply').click();
    await each.getByLabel('Recorded reply', { exact: true }).fill('{"age": 25}');
    await each.getByRole('button', { name: 'Try it' }).click();
    await each.getByText('Verdict').waitFor();
  });
}

async function shootCluster(machines: DashboardMachines, kubectl: Kubectl, shoot: Shoot): Promise<void> {
  const [, , last = ''] = machines.addresses;
  machines.script(
    'PostInstall',
    `test "$BOATHOOK_NODE" != ${last} || { echo 'disk sdb is missing' >&2; exit 7; }`,
  );
  await kubectl(['apply', '-f', '-'], JSON.stringify(machines.cluster));
  await shoot('cluster', '/cluster/prod', 'Retry the failed steps', (each) =>
    each.getByRole('button', { name: `on ${last}: failed` }).click(),
  );
}

async function shootRegistration(kubectl: Kubectl, shoot: Shoot): Promise<void> {
  const folder = join(root, 'examples/reconcile');
  await using hook = followProgram(process.execPath, [join(folder, 'hook.ts')]);
  await hook.line();
  await kubectl(['apply', '-f', join(folder, 'crd.yaml'), '-f', join(folder, 'service.yaml')]);
  await kubectl(['wait', '--for', 'condition=Established', 'crd/kuards.extensions.triggermesh.io']);
  await kubectl(['apply', '-f', join(folder, 'registration.yaml')]);
  await kubectl(['wait', '--for', 'condition=Ready', 'crdregistration/kuard']);
  await kubectl(['apply', '-f', join(folder, 'instance.yaml')]);
  await kubectl(['wait', '--for', 'condition=Ready', 'kuard/my-kuard-extension']);
  await shoot('registration', '/registration/kuard', 'my-kuard-extension', async (each) => {
    await each.getByRole('button', { name: 'Last call' }).click();
    await each.getByRole('heading', { name: 'Reply' }).waitFor();
  });
}

const patchImage = [
  'patch',
  'gamedeployment',
  'test-gamedeployment',
  '--type=json',
  '-p',
  '[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"python:3.13"}]',
];

/** The canary of examples/canary with short times. */
function manifests(hook: string): string {
  const read = (name: string): string => readFileSync(join(root, 'examples/canary', name), 'utf8');
  const template = read('hooktemplate.yaml')
    .replace('http://127.0.0.1:9091', hook)
    .replace('interval: 60s', 'interval: 1s')
    .replace('count: 2', 'count: 10')
    .replace('failureLimit: 0', 'failureLimit: 1');
  const workload = read('gamedeployment.yaml')
    .replace('duration: 60', 'duration: 3')
    .replace('gracePeriodSeconds: 30', 'gracePeriodSeconds: 1');
  return `${template}\n---\n${workload}`;
}

async function kubectlOf(
  { boathook }: DashboardWorld,
  args: readonly string[],
  stdin: string,
): Promise<void> {
  const env = { KUBECONFIG: boathook.kubeconfig, HOME: boathook.home };
  const { code, error } = await runProgram('kubectl', args, { env, stdin });
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${error}`);
}

type Shots = {
  readonly world: DashboardWorld;
  readonly folder: string;
  readonly name: string;
  readonly path: string;
  /** A text that is there when the page is complete. */
  readonly seen: string;
  readonly before: (page: Page) => Promise<void>;
};

async function shootAll({ world, folder, name, path, seen, before }: Shots): Promise<void> {
  for (const theme of themes)
    for (const width of widths) {
      const { page, context } = await (path === ''
        ? openStranger(world, { theme, width })
        : world.open(path, { theme, width }));
      await page.getByText(seen).first().waitFor();
      await before(page);
      const picture = await page.screenshot({ fullPage: name !== 'promote' });
      writeFileSync(join(folder, `${name}-${theme}-${width}.png`), shrinkPng(picture));
      await context.close();
    }
}

/** A tab that is not signed in. */
async function openStranger(world: DashboardWorld, look: Look): Promise<Tab> {
  const tab = await openTab(world.browser, look);
  await tab.page.goto(world.url);
  return tab;
}

await main(process.argv.slice(2));
