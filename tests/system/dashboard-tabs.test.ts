import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tab } from '../support/browser.ts';
import { canaryTerminal, gameWorkload, type CanaryTerminal } from '../support/canary-terminal.ts';
import { startDashboardWorld, type DashboardWorld } from '../support/dashboard-world.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';

let world: DashboardWorld;
let canary: CanaryTerminal;

beforeAll(async () => {
  world = await startDashboardWorld(['--profile', 'instant']);
  const kubectl = (await findKubectls()).at(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl on this machine');
  const terminal = openTerminal(kubectl, world.boathook, 'default');
  canary = canaryTerminal(terminal);
  await canary.apply(...names.map((name) => gameWorkload('GameDeployment', name, { replicas: 1 })));
  const workloads = names.map((name) => `gamedeployment/${name}`);
  await terminal.run(['wait', ...workloads, '--for=jsonpath={.status.phase}=Complete', '--timeout=300s']);
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});

const names = ['a', 'b', 'c', 'd'];
const pathOf = (name: string): string => `/release/GameDeployment/default/${name}`;
const scale = (name: string, replicas: number): Promise<string> =>
  canary.replace('gamedeployment', name, '/spec/replicas', replicas);
const untilReady = (page: Page, count: number): Promise<void> =>
  page.getByText(`${count} of ${count} ready`, { exact: true }).waitFor();

/** Counts the event streams that a page itself opens; those of a shared worker are none of it. */
function ownStreams(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/stream')) count += 1;
  });
  return () => count;
}

test('ten tabs of a browser are live at the same time, and buttons work in each', async () => {
  const first = await world.open('/');
  const pages = [first.page];
  const streams = [ownStreams(first.page)];
  for (let count = 1; count < 10; count += 1) {
    const page = await first.context.newPage();
    streams.push(ownStreams(page));
    await page.goto(world.url + (count % 2 === 0 ? '/' : pathOf(names[count % 4] ?? 'a')));
    pages.push(page);
  }
  for (const [count, page] of pages.entries())
    await page
      .getByRole('heading', { level: 1, name: count % 2 === 0 ? 'Overview' : (names[count % 4] ?? 'a') })
      .waitFor();
  await scale('b', 3);
  await Promise.all(
    pages.map((page, count) =>
      count % 4 === 1
        ? untilReady(page, 3)
        : count % 2 === 0
          ? page.getByRole('row', { name: /^b / }).getByText('3/3 ready').waitFor()
          : untilReady(page, 1),
    ),
  );
  const last = pages.at(-1);
  await last?.getByRole('button', { name: 'Set image' }).click();
  await last?.getByLabel('Image of container python').fill('python:3.14');
  await last?.getByRole('dialog').getByRole('button', { name: 'Set image' }).click();
  await pages[1]?.getByText('python:3.14').first().waitFor();
  expect(streams.map((opened) => opened())).toEqual(pages.map(() => 0));
  expect(first.faults).toEqual([]);
  await first.context.close();
});

async function withoutWorkers(): Promise<Tab> {
  const { context } = await world.open('/');
  await context.addInitScript('delete window.SharedWorker');
  const page = await context.newPage();
  return { context, page, faults: [] };
}

test('a browser without shared workers has a stream for each tab', async () => {
  const { page, context } = await withoutWorkers();
  const opened = ownStreams(page);
  await page.goto(world.url + pathOf('c'));
  await untilReady(page, 1);
  await scale('c', 2);
  await untilReady(page, 2);
  expect(opened()).toBe(1);
  await context.close();
});

const lifecycle = (session: CDPSession, state: 'frozen' | 'active'): Promise<unknown> =>
  session.send('Page.setWebLifecycleState', { state });

test('a tab that the browser has frozen shows what is new when it is thawed', async () => {
  const { page, context } = await world.open(pathOf('d'));
  await untilReady(page, 1);
  const session = await context.newCDPSession(page);
  await lifecycle(session, 'frozen');
  for (const count of [2, 3, 4, 5]) await scale('d', count);
  await canary.untilStatus('gamedeployment', 'd', { readyReplicas: 5 });
  await lifecycle(session, 'active');
  await untilReady(page, 5);
  await context.close();
});

test('a computer that was asleep for an hour: the dead stream is replaced, and the page is live', async () => {
  const { page, context } = await withoutWorkers();
  const opened = ownStreams(page);
  await page.clock.install();
  await page.goto(world.url + pathOf('a'));
  await page.getByRole('heading', { level: 1, name: 'a' }).waitFor();
  expect(opened()).toBe(1);
  await page.clock.fastForward('01:00:00');
  await expect.poll(opened).toBe(2);
  await scale('a', 4);
  await untilReady(page, 4);
  expect(await page.getByText('No connection').count()).toBe(0);
  await context.close();
});

// The last, because it ends the session of all tabs of this file.
test('signing out in one tab signs the others out', async () => {
  const { page, context } = await world.open('/');
  const other = await context.newPage();
  await other.goto(world.url + pathOf('b'));
  await other.getByRole('heading', { level: 1, name: 'b' }).waitFor();
  await page.getByText('boathook-admin').first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alert').getByText('signed out').waitFor();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.getByRole('alert').getByText('you have signed out').waitFor();
  await context.close();
});
