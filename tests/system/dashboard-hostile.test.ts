import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import {
  canaryTerminal,
  gameWorkload,
  hookTemplate,
  imagePath,
  type CanaryTerminal,
} from '../support/canary-terminal.ts';
import { startDashboardWorld, type DashboardWorld } from '../support/dashboard-world.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';

/** Texts that would run a script if any of them became HTML. Each would set `window.hit`. */
const hostile = [
  '<script>window.hit=1</script>',
  '<img src=x onerror="window.hit=1">',
  '"><svg/onload=window.hit=1>',
  "javascript:window.hit=1//'",
  '</textarea></title><iframe srcdoc="<script>parent.hit=1</script>">',
  '{{constructor["constructor"]("window.hit=1")()}}',
  '\u202e<b>reversed</b>\u0007',
].join(' ');

let world: DashboardWorld;
let terminal: Terminal;
let canary: CanaryTerminal;
let service: Server;

beforeAll(async () => {
  world = await startDashboardWorld(['--profile', 'instant']);
  const kubectl = (await findKubectls()).at(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl on this machine');
  terminal = openTerminal(kubectl, world.boathook, 'default');
  canary = canaryTerminal(terminal);
  service = createServer((_, response) => void response.end(JSON.stringify({ age: hostile })));
  await once(service.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  service?.close();
  service?.closeAllConnections();
  await world?.[Symbol.asyncDispose]();
});

const workload = (): JsonObject => ({
  ...gameWorkload('GameDeployment', 'evil', {
    replicas: 1,
    updateStrategy: { type: 'RollingUpdate', canary: { steps: [{ hook: { templateName: 'evil' } }] } },
  }),
  metadata: { name: 'evil', annotations: { 'kubernetes.io/change-cause': hostile, note: hostile } },
});

test('texts of the cluster stay text: annotations, images, replies, messages, Events', async () => {
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/?<script>`;
  const metric = { successCondition: 'result == "x"', provider: { web: { url, jsonPath: '{$.age}' } } };
  await canary.apply(hookTemplate('evil', metric), workload());
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'evil.1' },
    involvedObject: {
      apiVersion: 'tkex.tencent.com/v1alpha1',
      kind: 'GameDeployment',
      name: 'evil',
      namespace: 'default',
    },
    type: 'Warning',
    reason: 'Hostile',
    message: hostile,
    lastTimestamp: '2026-11-16T00:00:00Z',
    source: { component: 'test' },
  };
  await canary.untilStatus('gamedeployment', 'evil', { phase: 'Complete' });
  await canary.apply(event);
  await canary.replace('gamedeployment', 'evil', imagePath, 'evil:<script>');
  await canary.untilStatus('gamedeployment', 'evil', { reason: 'PausedByStepBasedHook' });
  const [run = ''] = await canary.untilRuns([/ Failed$/]);

  const hit = 'window.hit ?? document.querySelectorAll("main script, main iframe, main img, main b").length';
  for (const [path, seen] of [
    ['/', 'Waits for you'],
    ['/release/GameDeployment/default/evil', 'Hook runs'],
    [`/hookrun/default/${run.split(' ')[0]}`, 'Measurements'],
    ['/template/default/evil', 'Try it'],
  ] as const) {
    const { page, faults } = await world.open(path);
    await page.getByRole('heading', { name: seen }).first().waitFor();
    for (const each of await page.locator('details').all())
      await each.evaluate((element) => (element.open = true));
    if (path.startsWith('/release')) await page.getByText('window.hit=1').first().waitFor();
    expect(await page.evaluate(hit), path).toBe(0);
    expect(faults, path).toEqual([]);
    await page.context().close();
  }
});

test('an address that is no page, with a script in it, shows it as text', async () => {
  const { page, faults } = await world.open('/%3Cimg%20src=x%20onerror=window.hit=1%3E');
  await page.getByRole('heading', { name: 'No such page' }).waitFor();
  expect(await page.evaluate('window.hit ?? 0')).toBe(0);
  expect(faults).toEqual([]);
});
