import { nameOf } from '#kube/object.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { canaryTerminal, imagePath, startHookService, type HookService } from '../support/canary-terminal.ts';
import { shortCanary } from '../support/canary-walk.ts';
import { startDashboardWorld, type DashboardWorld } from '../support/dashboard-world.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';
import { readProjectFile } from '../support/project-files.ts';

let world: DashboardWorld;
let hook: HookService;
let run = '';

/** A release that its hook has stopped, so that every part of the page has content. */
beforeAll(async () => {
  [world, hook] = await Promise.all([startDashboardWorld(['--profile', 'instant']), startHookService(45)]);
  const kubectl = (await findKubectls()).at(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl on this machine');
  const terminal = openTerminal(kubectl, world.boathook, 'default');
  const canary = canaryTerminal(terminal);
  const until = (what: string): Promise<string> =>
    terminal.run(['wait', 'gamedeployment/web', `--for=jsonpath={.status.${what}`, '--timeout=300s']);
  await canary.apply(...shortCanary('web', hook.url));
  await until('phase}=Complete');
  for (const file of ['crd.yaml', 'registration.yaml', 'instance.yaml'])
    await terminal.run(['apply', '-f', '-'], { stdin: readProjectFile(`examples/reconcile/${file}`) });
  await canary.replace('gamedeployment', 'web', imagePath, 'python:3.13');
  await until('reason}=PausedByCanaryPauseStep');
  await canary.replace('gamedeployment', 'web', '/spec/updateStrategy/paused', false);
  await until('reason}=PausedByStepBasedHook');
  run = nameOf((await canary.list('hookrun'))[0] ?? {});
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await hook?.[Symbol.asyncDispose]();
});

const release = '/release/GameDeployment/default/web';
const pages = [
  ['/', 'Waits for you'],
  [release, 'Why is it not moving?'],
  ['/hookrun/default/RUN', 'Measurements'],
  ['/template/default/web-age', 'Try it'],
  ['/registration/kuard', 'Instances'],
  ['/nothing', 'No such page'],
] as const;
const looks = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
] as const;

test.for(looks)('axe finds nothing on any page: %j', async (look) => {
  for (const [path, seen] of pages) {
    const { page, context, faults } = await world.open(path.replace('RUN', run), look);
    await page.getByRole('heading', { name: seen }).waitFor();
    expect(await axeFindings(page), path).toEqual([]);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width, `${path} is as wide as the screen`).toBe(look.width);
    expect(faults, path).toEqual([]);
    await context.close();
  }
});

test.for(['light', 'dark'] as const)(
  'axe finds nothing in a dialog and on the page to sign in: %s',
  async (theme) => {
    const { page } = await world.open(release, { theme });
    await page.getByRole('button', { name: 'Promote' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const stranger = await openTab(world.browser, { theme });
    await stranger.page.goto(world.url);
    await stranger.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await axeFindings(stranger.page)).toEqual([]);
  },
);

test('the chosen colours hold after a reload, and status words explain themselves', async () => {
  const { page, context } = await world.open(release);
  const theme = (): Promise<unknown> => page.evaluate('document.documentElement.dataset.theme');
  expect(await theme()).toBe('light');
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  expect(await theme()).toBe('dark');
  await page.reload();
  await page.getByRole('heading', { name: 'web', level: 1 }).waitFor();
  expect(await theme()).toBe('dark');
  await page.getByRole('button', { name: 'PausedByStepBasedHook' }).click();
  await page.getByText('The hook of a step failed: pro').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('The hook of a step failed: pro').waitFor({ state: 'hidden' });
  await context.close();
});
