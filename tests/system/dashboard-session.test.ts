import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minutes, millis } from '#base/time.ts';
import { openPageFiles } from '#web/server/page-files.ts';
import { openTab, startBrowser, type Tab } from '../support/browser.ts';
import { gameDeployment } from '../support/game-world.ts';
import { jumpClock } from '../support/jump-clock.ts';
import { openWebWorld, type WebWorld } from '../support/web-server-world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

let browser: Browser;
const files = openPageFiles();

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
});

const workloads = '/apis/tkex.tencent.com/v1alpha1/namespaces/default/gamedeployments';
const release = '/release/GameDeployment/default/web';

async function byLink(at: WebWorld): Promise<Tab> {
  const tab = await openTab(browser);
  await tab.page.goto(at.dashboard.link());
  await tab.page.getByRole('heading', { name: 'Overview' }).waitFor();
  return tab;
}

async function byToken(at: WebWorld, token: string, path = '/'): Promise<Tab> {
  const tab = await openTab(browser);
  await tab.page.goto(at.dashboard.url + path);
  await tab.page.getByLabel('Kubernetes token').fill(token);
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  await tab.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor({ state: 'detached' });
  return tab;
}

const untilSignIn = (page: Page): Promise<void> =>
  page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();

test('after 12 hours the page asks to sign in again, with the reason', async () => {
  const clock = jumpClock(millis(0));
  const at = await closedAfterTest(openWebWorld({ clock, files }));
  const { page, faults } = await byLink(at);
  await page.getByText('has no release').waitFor();
  clock.jump(minutes(12 * 60 - 1));
  await at.server.create(workloads, gameDeployment({}, 'late'));
  await page.getByRole('link', { name: 'late' }).waitFor();
  clock.jump(minutes(1));
  await untilSignIn(page);
  await page.getByRole('alert').getByText('the session has ended: sign in again').waitFor();
  await page.goto(at.dashboard.link());
  await page.getByRole('link', { name: 'late' }).waitFor();
  expect(faults).toEqual([]);
});

test('a token that has expired ends the session', async () => {
  const clock = jumpClock(millis(0));
  const claims = Buffer.from(JSON.stringify({ exp: Math.floor(clock.now() / 1000) + 600 }));
  const at = await closedAfterTest(
    openWebWorld({
      clock,
      files,
      signIn: 'token',
      isLoopback: false,
      around: (connector) => ({ ...connector, open: () => connector.open({ type: 'own' }) }),
    }),
  );
  const { page } = await byToken(at, `e30.${claims.toString('base64url')}.c2ln`);
  await page.getByText('has no release').waitFor();
  clock.jump(minutes(11));
  await untilSignIn(page);
  await page.getByRole('alert').getByText('the session has ended').waitFor();
});

test.for([
  ['ahead of', minutes(150)],
  ['behind', minutes(-150)],
] as const)(
  'a server whose clock is %s that of the browser: ages and countdowns are right',
  async ([, ahead]) => {
    const clock = jumpClock(ahead);
    const at = await closedAfterTest(openWebWorld({ clock, files, hasControllers: true }));
    const { page } = await byLink(at);
    const steps = [{ pause: { duration: 600 } }];
    await at.server.create(
      workloads,
      gameDeployment({ replicas: 1, updateStrategy: { type: 'RollingUpdate', canary: { steps } } }, 'web'),
    );
    const created = page.getByRole('row', { name: 'web' }).locator('td[data-label=Created]');
    await created.waitFor();
    expect(await created.innerText()).toMatch(/^\d{1,2}s ago$/);
    await page.getByRole('row', { name: 'web' }).getByText('Complete', { exact: true }).waitFor();
    const image = '/spec/template/spec/containers/0/image';
    await at.server.send('PATCH', `${workloads}/web`, {
      body: [{ op: 'replace', path: image, value: 'web:2' }],
      type: 'application/json-patch+json',
    });
    await page.goto(at.dashboard.url + release);
    const countdown = page.getByRole('timer').first();
    await countdown.waitFor();
    // To some seconds: the answer with the time of the server was under way for a while, and the clocks are hours apart.
    expect(await countdown.innerText()).toMatch(/^(?:10:0[0-5]|9:\d\d)$/);
  },
);

test('a user without rights on some kinds sees the others, and why not these', async () => {
  const at = await closedAfterTest(openWebWorld({ files, signIn: 'token', isLoopback: false }));
  await at.server.create(workloads, gameDeployment({ replicas: 1 }, 'web'));
  const nothing = await byToken(at, 'token-of-carol');
  await nothing.page.getByText('There is nothing that you may see').waitFor();
  await nothing.page.getByText(/GameDeployments cannot be listed: .*User "carol" cannot list/).waitFor();
  await nothing.page.goto(at.dashboard.url + release);
  await nothing.page.getByText(/GameDeployment web in namespace default cannot be read: .*carol/).waitFor();

  await allow(at, ['gamedeployments', 'controllerrevisions', 'pods', 'hooktemplates']);
  await nothing.page.goto(at.dashboard.url);
  await nothing.page.getByRole('link', { name: 'web' }).waitFor();
  await nothing.page.getByText('Only GameDeployments of namespace default are shown').waitFor();
  await nothing.page.getByText(/HookRuns cannot be listed/).waitFor();
  await nothing.page.goto(at.dashboard.url + release);
  await nothing.page.getByText(/cannot be read: .*hookruns/).waitFor();

  await allow(at, ['hookruns']);
  await nothing.page.getByRole('heading', { name: 'web', level: 1 }).waitFor();
  await nothing.page.getByRole('heading', { name: 'Pods' }).waitFor();
  expect(nothing.faults).toEqual([]);
});

/** Lets Carol look at some kinds in the namespace default. */
async function allow(at: WebWorld, resources: readonly string[]): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  const roles = `/apis/${group}/v1/namespaces/default`;
  const name = `looks-${resources[0] ?? ''}`;
  await at.server.create(`${roles}/roles`, {
    metadata: { name },
    rules: [{ apiGroups: ['*'], resources: [...resources], verbs: ['get', 'list', 'watch'] }],
  });
  await at.server.create(`${roles}/rolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: group, kind: 'Role', name },
    subjects: [{ apiGroup: group, kind: 'User', name: 'carol' }],
  });
}
