import { afterAll, beforeAll, expect, test } from 'vitest';
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
])('$title: from the empty page to the hook that stops it', async ({ title, name }) => {
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
  await page.getByText('PausedByStepBasedHook').first().waitFor();
  await page
    .getByRole('article', { name: 'Metric errors' })
    .getByRole('img', { name: /14.*45; threshold/ })
    .waitFor();
  await page
    .getByText(`boathook release abort ${name === 'shop' ? 'gd' : 'gsts'}/${name}`)
    .first()
    .waitFor();
  expect(performance.now() - began).toBeLessThan(150_000);
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
