import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canaryTerminal, startHookService, type HookService } from '../support/canary-terminal.ts';
import { expectNoFaults, shortCanary } from '../support/canary-walk.ts';
import { startDashboardWorld, type DashboardWorld } from '../support/dashboard-world.ts';
import { isFocused, pressOn, tabTo } from '../support/keyboard.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';

let world: DashboardWorld;
let hook: HookService;
let terminal: Terminal;

beforeAll(async () => {
  [world, hook] = await Promise.all([startDashboardWorld(['--profile', 'instant']), startHookService(45)]);
  const kubectl = (await findKubectls()).at(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl on this machine');
  terminal = openTerminal(kubectl, world.boathook, 'default');
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await hook?.[Symbol.asyncDispose]();
});

const apply = (name: string): Promise<string> =>
  canaryTerminal(terminal).apply(...shortCanary(name, hook.url));

const stepNow = (page: Page): Promise<string> => page.locator('li[aria-current=step]').innerText();
const images = async (name: string): Promise<string> =>
  (
    await terminal.run([
      'get',
      'pods',
      '-l',
      `app=${name}`,
      '-o',
      'jsonpath={.items[*].spec.containers[0].image}',
    ])
  )
    .split(' ')
    .toSorted()
    .join(' ');

test('a canary is walked by mouse: it appears, pauses, a hook stops it, and it is aborted', async () => {
  const { page, faults } = await world.open('/');
  await page.getByText('has no release').waitFor();
  await apply('mouse');
  await page.getByRole('link', { name: 'mouse' }).click();
  await page.getByRole('heading', { name: 'mouse', level: 1 }).waitFor();
  await page.getByText('Complete', { exact: true }).first().waitFor();

  await page.getByRole('button', { name: 'Set image' }).click();
  await page.getByLabel('Image of container python').fill('python:3.13');
  await page.getByRole('dialog').getByRole('button', { name: 'Set image' }).click();
  await page.getByText('until a user promotes it').waitFor();
  expect(await stepNow(page)).toMatch(/^Pause\s+current/);
  await page.getByText('1 of 1 in service').waitFor();
  await page.getByText('3 of 3 in service').waitFor();
  await page.getByRole('row', { name: 'python:latest' }).getByText('python:3.13').waitFor();

  await page.getByRole('button', { name: 'Promote' }).click();
  await page.getByLabel('Reason').fill('errors are at zero');
  await page.getByRole('dialog').getByRole('button', { name: 'Promote' }).click();
  await page.getByText('PausedByStepBasedHook').first().waitFor();
  expect(await stepNow(page)).toMatch(/^Hook mouse-age\s+failed/);
  const metric = page.getByRole('article', { name: 'Metric webtest' });
  await metric.getByText('asInt(result) < 30', { exact: true }).waitFor();
  await metric.getByRole('img', { name: /values 45; threshold/ }).waitFor();
  await metric.getByText('45', { exact: true }).click();
  await metric.getByText('Evaluation').waitFor();
  expect(await metric.innerText()).toContain('asInt(result) = 45');

  await page.getByRole('button', { name: 'Abort' }).click();
  await page.getByLabel('Reason').fill('the hook is right');
  await page.getByRole('dialog').getByRole('button', { name: 'Abort' }).click();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('Aborted').first().waitFor();
  expect(await history.innerText()).toMatch(/boathook-admin: promote at step 2\s*.?errors are at zero/);
  expect(await history.innerText()).toMatch(/boathook-admin: abort at step 5\s*.?the hook is right/);
  await expect.poll(() => images('mouse')).toBe(Array(4).fill('python:latest').join(' '));
  expectNoFaults(faults);
});

test('the same canary is walked with the keyboard alone, and promoted past its hook', async () => {
  await apply('keys');
  const { page, faults } = await world.open('/');
  await page.getByRole('link', { name: 'keys', exact: true }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('app=keys');
  await pressOn(page, page.getByRole('link', { name: 'keys', exact: true }));
  await page.getByRole('heading', { name: 'keys', level: 1 }).waitFor();
  await page.getByText('Complete', { exact: true }).first().waitFor();

  await pressOn(page, page.getByRole('button', { name: 'Set image' }));
  await tabTo(page, page.getByLabel('Image of container python'));
  await page.keyboard.type('python:3.13');
  await page.keyboard.press('Enter');
  await page.getByText('until a user promotes it').waitFor();

  await pressOn(page, page.getByRole('button', { name: 'Promote' }));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await isFocused(page.getByRole('button', { name: 'Promote' }))).toBe(true);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Reason'));
  await page.keyboard.type('by keyboard');
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Promote' }));
  await page.getByText('PausedByStepBasedHook').first().waitFor();

  await pressOn(page, page.getByRole('button', { name: 'Promote' }));
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Promote' }), 'Space');
  await page.getByText('Complete', { exact: true }).first().waitFor();
  await expect.poll(() => images('keys')).toBe(Array(4).fill('python:3.13').join(' '));
  expectNoFaults(faults);
});
