import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { expectNoFaults } from '../support/canary-walk.ts';
import { startDashboardWorld, type DashboardWorld } from '../support/dashboard-world.ts';

let world: DashboardWorld;

beforeAll(async () => {
  world = await startDashboardWorld();
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});

test.for([
  { title: 'A canary that a hook stops', name: 'shop' },
  { title: 'A stateful canary', name: 'db' },
])('$title: from the empty page to the hook that stops it within a minute', async ({ title, name }) => {
  const { page, faults, context } = await world.open('/');
  const more = page.locator('details.more-examples > summary');
  if (name !== 'shop') await more.click();
  const began = performance.now();
  await page.getByRole('button', { name: new RegExp(`^Load this example ?: ${title}$`) }).click();
  await page.getByText(`a release of ${name}:1.1 has started`).waitFor();
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByText('until a user promotes it').waitFor();
  await page.getByRole('button', { name: 'Promote' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Promote' }).click();
  await page.getByText('PausedByStepBasedHook').first().waitFor({ timeout: 40_000 });
  await page
    .getByRole('article', { name: 'Metric errors' })
    .getByRole('img', { name: /14.*45; threshold/ })
    .waitFor();
  await page
    .getByText(`boathook release abort ${name === 'shop' ? 'gd' : 'gsts'}/${name}`)
    .first()
    .waitFor();
  expect(performance.now() - began).toBeLessThan(60_000);
  expectNoFaults(faults);
  await context.close();
});

test('machines: from the empty page to the script that fails, and a retry that completes the operation', async () => {
  const { page, faults, context } = await world.open('/');
  await page.locator('details.more-examples > summary').click();
  const began = performance.now();
  const title = 'A cluster on three simulated machines';
  await page.getByRole('button', { name: new RegExp(`^Load this example ?: ${title}$`) }).click();
  await page.getByText('Cluster lab is being created on the simulated machines').waitFor();
  await page.getByRole('link', { name: 'lab', exact: true }).click();
  await page.getByRole('heading', { name: 'lab', level: 1 }).waitFor();
  const failed = page.getByRole('button', { name: /PostInstall on 127\.0\.\d+\.3: failed/ });
  await failed.click({ timeout: 40_000 });
  const detail = page.locator('.cell-detail');
  await detail.getByText('disk sdb is not attached yet (look 5 of 6)').waitFor({ timeout: 40_000 });
  await page.getByRole('button', { name: 'Retry the failed steps' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  // The next automatic attempt is 16 s away.
  await failed.waitFor({ state: 'detached', timeout: 10_000 });
  await page.getByText('Running', { exact: true }).first().waitFor();
  expect(performance.now() - began).toBeLessThan(60_000);
  expect(await axeFindings(page)).toEqual([]);
  expectNoFaults(faults);
  await context.close();
});

test('a registration: from the empty page to the workload of one instance and the refusal of the other', async () => {
  const { page, faults, context } = await world.open('/');
  await page.locator('details.more-examples > summary').click();
  const began = performance.now();
  const title = 'A registration with a hook';
  await page.getByRole('button', { name: new RegExp(`^Load this example ?: ${title}$`) }).click();
  await page.getByText('CRDRegistration webapp and the WebApps front and reports exist now').waitFor();
  await page.getByRole('link', { name: 'webapp', exact: true }).first().click();
  await page.getByRole('heading', { name: 'webapp', level: 1 }).waitFor();
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await row('reports').getByText('size huge is not offered: set spec.size to small or large').waitFor();
  await row('front').getByText('Ready', { exact: true }).waitFor();
  await row('front')
    .getByText(/Deployment webapp-front, Service webapp-front/)
    .waitFor();
  expect(performance.now() - began).toBeLessThan(60_000);
  expect(await axeFindings(page)).toEqual([]);
  expectNoFaults(faults);
  await context.close();
});

test('an example that is loaded already is not loaded again', async () => {
  const { page, context } = await world.open('/');
  await page.locator('details.more-examples > summary').click();
  await page.getByRole('button', { name: /^Load this example ?: A canary that a hook stops$/ }).click();
  await page.getByText('GameDeployment shop exists already').waitFor();
  await context.close();
});
