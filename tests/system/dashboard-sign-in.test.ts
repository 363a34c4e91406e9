import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBoathook, wholeCluster } from '../support/boathook.ts';
import { openTab } from '../support/browser.ts';
import { gameWorkload } from '../support/canary-terminal.ts';
import { followProgram, runProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';
import { startDashboardWorld, type DashboardWorld } from '../support/dashboard-world.ts';

let world: DashboardWorld;
beforeAll(async () => {
  world = await startDashboardWorld();
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});

test('the link signs in once and leaves no token in the address; signing out ends it', async () => {
  const { page, context, faults } = await openTab(world.browser);
  await page.goto(world.link);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(page.url()).toBe(`${world.url}/`);
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  await page.goBack();
  expect(page.url()).not.toContain('token');

  const second = await openTab(world.browser);
  await second.page.goto(world.link);
  await second.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await second.page.getByRole('alert').getByText('this link was used already').waitFor();
  expect(second.page.url()).toBe(`${world.url}/`);

  await page.goto(`${world.url}/release/GameDeployment/default/nothing`);
  await page.getByText('does not exist').waitFor();
  await page.getByText('boathook-admin').first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alert').getByText('signed out').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(faults).toEqual([]);
});

test('while the server is away the page keeps what it knows and says since when; then it asks to sign in', async () => {
  const first = await startDashboardWorld();
  const { page } = await first.open('/');
  await page.getByText('has no release').waitFor();
  const port = new URL(first.url).port;
  await first.boathook.stop();
  await page.getByText('No connection to the server of the dashboard since').waitFor();
  await page.getByText('has no release').waitFor();
  await using again = await startBoathook({ flags: [...wholeCluster, '--dashboard-port', port] });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const link = (await again.process.lineLike(/^dashboard at /)).replace('dashboard at ', '').trim();
  // In the same tab only the part after # changes: the page is not loaded again.
  await page.goto(link);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await first[Symbol.asyncDispose]();
});

test('while the API server is away the page says so, and shows what is new when it is back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'boathook-dashboard-'));
  const first = await startBoathook({ dataDir: join(folder, 'data'), flags: wholeCluster });
  try {
    const flags = ['--port', '0', '--kubeconfig', first.kubeconfig];
    await using server = followProgram(join(root, 'boathook'), ['dashboard', ...flags]);
    const link = /http:\S+/.exec(await server.lineLike(/^dashboard of /))?.[0] ?? '';
    const { page, faults } = await openTab(world.browser);
    await page.goto(link);
    await page.getByText('has no release').waitFor();
    await first.stop('SIGKILL');
    await page.getByText('No connection to the API server since').waitFor();
    await page.getByText('has no release').waitFor();
    const again = { dataDir: first.dataDir, flags: [...wholeCluster, '--port', String(first.port)] };
    await using second = await startBoathook(again);
    await page.getByText('No connection to the API server since').waitFor({ state: 'hidden' });
    const stdin = JSON.stringify(gameWorkload('GameDeployment', 'new', { replicas: 1 }));
    await runProgram('kubectl', ['apply', '-f', '-'], {
      env: { KUBECONFIG: second.kubeconfig, HOME: second.home },
      stdin,
    });
    await page.getByRole('link', { name: 'new' }).waitFor();
    expect(faults).toEqual([]);
  } finally {
    await first[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
});
