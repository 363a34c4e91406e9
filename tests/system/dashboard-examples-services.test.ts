import { expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { expectNoFaults } from '../support/canary-walk.ts';
import { startDashboardWorld } from '../support/dashboard-world.ts';

test('machines: from the empty page to the script that fails, and a retry that completes the operation', async () => {
  await using world = await startDashboardWorld();
  const { page, faults } = await world.open('/');
  await page.getByText('This cluster has no release').waitFor();
  const began = performance.now();
  const title = 'A cluster on three simulated machines';
  await page.getByRole('button', { name: new RegExp(`^Load this example ?: ${title}$`) }).click();
  await page.getByText('Cluster lab is being created on the simulated machines').waitFor();
  await page.getByRole('link', { name: 'lab', exact: true }).click();
  await page.getByRole('heading', { name: 'lab', level: 1 }).waitFor();
  const failed = page.getByRole('button', { name: /PostInstall on 127\.0\.\d+\.3: failed/ });
  await failed.click();
  const detail = page.locator('.cell-detail');
  await page.getByText('looking for disk sdb on machine-3').first().waitFor();
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 390, height });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.setViewportSize({ width, height });
  await detail.getByText('disk sdb is not attached yet (look 5 of 6)').waitFor();
  await page.getByRole('button', { name: 'Retry the failed steps' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  // The next automatic attempt is 16 s away.
  await failed.waitFor({ state: 'detached', timeout: 15_000 });
  await page.getByText('Running', { exact: true }).first().waitFor();
  expect(performance.now() - began).toBeLessThan(150_000);
  expect(await axeFindings(page)).toEqual([]);
  expectNoFaults(faults);
});

test('a registration: from the empty page to the workload of one instance and the refusal of the other', async () => {
  await using world = await startDashboardWorld();
  const { page, faults } = await world.open('/');
  await page.getByText('This cluster has no release').waitFor();
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
  expect(performance.now() - began).toBeLessThan(150_000);
  expect(await axeFindings(page)).toEqual([]);
  expectNoFaults(faults);
});
