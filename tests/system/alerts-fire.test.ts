import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { JsonObject } from '#base/json.ts';
import { seconds } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { alerts } from '../../scripts/monitoring/alerts.ts';
import { panels } from '../../scripts/monitoring/panels.ts';
import { failingRun, shop, unreachableCluster } from '../support/alert-objects.ts';
import { startAlertingPrometheus } from '../support/alerting-prometheus.ts';
import {
  launchBoathook,
  runBoathook,
  startBoathook,
  wholeCluster,
  type Boathook,
} from '../support/boathook.ts';
import { openFaultyGateway } from '../support/faulty-gateway.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';
import { ownPort } from '../support/own-port.ts';
import type { Following } from '../support/program.ts';

const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'boathook-controller', namespace: 'boathook-system' },
  spec: { holderIdentity: 'a controller of another planet', leaseDurationSeconds: 3600 },
};

const controllerAt = (port: number, kubeconfig: string, ...flags: readonly string[]): Following =>
  launchBoathook([
    'controller',
    '--kubeconfig',
    kubeconfig,
    '--metrics-address',
    `127.0.0.1:${port}`,
    '--outgoing-allow',
    '127.0.0.0/8',
    ...flags,
  ]);

/** A kubeconfig of somebody who may do nothing. */
function powerless({ kubeconfig, dataDir }: Boathook): string {
  const config = parse(readFileSync(kubeconfig, 'utf8')) as { users: [{ user: Record<string, unknown> }] };
  config.users[0].user['as'] = 'nobody-in-particular';
  const path = join(dataDir, 'powerless');
  writeFileSync(path, stringify(config));
  return path;
}

async function terminalOf(server: Boathook): Promise<Terminal> {
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  return openTerminal(newest, server, 'default');
}

/** A leader that is suspended for a while stays the leader. */
const patient = ['--lease-duration', '90s', '--renew-deadline', '80s'];

const isWrite = (method: string): boolean => method !== 'GET';
const aboutShops = (path: string): boolean => path.includes('/gamedeployments');

test('each alert fires when what it is about happens to real controllers', async () => {
  const seen = new Set<string>();
  const ports = [await ownPort(), await ownPort(), await ownPort()] as const;
  await using prometheus = await startAlertingPrometheus(ports);
  const fires = async (alert: string): Promise<void> => {
    await prometheus.untilFires(alert);
    seen.add(alert);
  };
  await using server = await startBoathook({
    flags: [...wholeCluster, '--controllers', 'none', '--authorization', 'rbac'],
  });
  const kubectl = await terminalOf(server);
  const apply = (...objects: readonly JsonObject[]): Promise<string> =>
    kubectl.run(['apply', '-f', '-'], {
      stdin: objects.map((object) => JSON.stringify(object)).join('\n---\n'),
    });
  await fires('BoathookAbsent');

  await kubectl.run(['create', 'namespace', 'boathook-system']);
  await kubectl.run(['create', '-f', '-', '--namespace', 'boathook-system'], {
    stdin: JSON.stringify(lease),
  });
  await using gateway = await openFaultyGateway(server);
  await using first = controllerAt(ports[0], gateway.kubeconfig, ...patient);
  await fires('BoathookNoLeader');
  await kubectl.run(['delete', 'lease', 'boathook-controller', '--namespace', 'boathook-system']);
  await first.lineLike(/^running hookrun/);

  await apply(
    shop('blocked', [{ hook: { templateName: 'missing' } }]),
    shop('paused', [{ partition: 1 }, { pause: {} }, { partition: 0 }]),
    failingRun('errors'),
    unreachableCluster,
    definition(),
    registration({ hook: hookAt('http://127.0.0.1:1') }),
  );
  await kubectl.run(['wait', '--for=condition=Established', 'crd/kuards.extensions.triggermesh.io']);
  await apply(kuard());
  await kubectl.run([
    'wait',
    '--for=jsonpath={.status.phase}=Complete',
    'gamedeployment/paused',
    '--timeout=300s',
  ]);
  const boathook = (...args: readonly string[]) =>
    runBoathook(['release', ...args, '--kubeconfig', server.kubeconfig]);
  expect(await boathook('set', 'image', 'gd/paused', 'server=shop:1.1')).toMatchObject({ code: 0 });
  expect(await boathook('set', 'image', 'gd/blocked', 'server=shop:1.1')).toMatchObject({ code: 0 });
  await fires('BoathookReleaseWaits');
  await fires('BoathookReleaseBlocked');
  await fires('BoathookHookErrors');
  await fires('BoathookMachineOperationsFail');
  await fires('BoathookReconcileHookFails');
  expect(await boathook('abort', 'gd/paused')).toMatchObject({ code: 0 });
  await fires('BoathookReleaseAborted');

  // Every panel can be evaluated, and has data unless it is about shards, which are not used here, or about steps: no
  // machine could be reached.
  const empty = new Set<string>();
  for (const { title, targets } of panels.flatMap((row) => row.panels))
    for (const [legend, expr] of targets) {
      const query = expr.replaceAll('$job', '.*').replaceAll('$__rate_interval', '10s');
      if ((await prometheus.count(query)) === 0) empty.add(`${title}: ${legend}`);
    }
  expect([...empty]).toEqual([
    'Shards held: {{pod}}',
    'Steps: {{kind}} {{outcome}}',
    'Duration, 95 %: step {{kind}}',
    'Duration, 95 %: {{operation}}',
  ]);

  // Calls that are due while the process is suspended start late; no others are made meanwhile.
  await kubectl.run(['delete', 'hookrun', 'errors']);
  const once = { interval: undefined, count: 1, initialDelay: '8s' };
  await apply(...Array.from({ length: 20 }, (_, index) => failingRun(`late-${index}`, once)));
  process.kill(first.pid, 'SIGSTOP');
  systemClock.after(seconds(15), () => process.kill(first.pid, 'SIGCONT'));
  await fires('BoathookHooksLate');

  gateway.fault = (method, path) => (isWrite(method) && aboutShops(path) ? { status: 500 } : undefined);
  await apply(...Array.from({ length: 10 }, (_, index) => shop(`failing-${index}`, [])));
  await fires('BoathookReconciliationsFail');
  await fires('BoathookApiErrors');

  gateway.fault = (method) =>
    isWrite(method) ? { status: 429, headers: { 'retry-after': '1' } } : undefined;
  await apply(...Array.from({ length: 10 }, (_, index) => shop(`throttled-${index}`, [])));
  await fires('BoathookApiThrottled');

  gateway.fault = (method, path) => (isWrite(method) && aboutShops(path) ? 'hang' : undefined);
  await apply(...Array.from({ length: 150 }, (_, index) => shop(`queued-${index}`, [])));
  await fires('BoathookQueueIsLong');

  await using second = controllerAt(ports[1], server.kubeconfig, '--no-leader-election');
  await second.lineLike(/^running hookrun/);
  await fires('BoathookManyLeaders');
  await using third = controllerAt(ports[2], powerless(server), '--no-leader-election');
  await third.lineLike(/^metrics at/);
  await fires('BoathookApiForbidden');

  expect([...seen].toSorted()).toEqual(
    alerts()
      .map(({ name }) => name)
      .toSorted(),
  );
});
