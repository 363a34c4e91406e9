import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { launchBoathook, startBoathook, wholeCluster, type Boathook } from '../support/boathook.ts';
import { gameDeployment, hookTemplate, image, isComplete } from '../support/game-world.ts';
import { startHookService, type HookService } from '../support/hook-service.ts';
import { openApi, type HttpsApi, type Thing } from '../support/https-api.ts';
import type { Following } from '../support/program.ts';
import { followReleases, type ReleaseHistory } from '../support/release-history.ts';

const game = '/apis/tkex.tencent.com/v1alpha1/namespaces/default';
const path = `${game}/gamedeployments/g`;
const pods = '/api/v1/namespaces/default/pods';
const merge = 'application/merge-patch+json';
const json = (thing: Thing): JsonObject => thing as JsonObject;

const hook = { hook: { templateName: 'age' } };
const canary = {
  steps: [{ partition: '75%' }, hook, { partition: '40%' }, { pause: { duration: 1 } }, hook],
};

async function startController({ kubeconfig }: Boathook): Promise<Following> {
  const flags = ['--no-leader-election', '--outgoing-allow', '127.0.0.0/8'];
  const controller = launchBoathook(['controller', '--kubeconfig', kubeconfig, ...flags]);
  await controller.lineLike(/^running /);
  return controller;
}

const template = ({ url }: HookService): JsonObject =>
  JSON.parse(JSON.stringify(hookTemplate()).replace('http://hooks.example', url)) as JsonObject;

/** Kills the controller with SIGKILL after so many changes, and starts the next one, again and again. */
async function killAgain(server: Boathook, history: ReleaseHistory, after: readonly number[]): Promise<void> {
  for (const changes of after) {
    const controller = await startController(server);
    // When it has nothing left to do, it dies in its sleep.
    await Promise.race([history.more(changes), delay(2000)]);
    await controller.stop('SIGKILL');
  }
}

async function complete(api: HttpsApi): Promise<JsonObject> {
  const { object } = await api.seen(
    `${game}/gamedeployments?watch=true&fieldSelector=metadata.name%3Dg`,
    ({ object: each }) => isComplete(json(each)),
  );
  return json(object);
}

const imagesOf = async (api: HttpsApi): Promise<readonly (string | undefined)[]> => {
  const { body } = await api.send('GET', pods);
  return listAt(json(body), 'items').map((pod) => textAt(listAt(pod, 'spec', 'containers')[0], 'image'));
};

test('a controller that is killed again and again brings a canary to its end, and breaks no rule', async () => {
  const flags = [...wholeCluster, '--profile', 'instant', '--controllers', 'none'];
  await using server = await startBoathook({ flags });
  await using service = await startHookService({ age: 20 });
  await using api = openApi(server.access, { connections: 16 });
  const history = followReleases(api);
  await api.create(`${game}/hooktemplates`, template(service));
  const spec = {
    replicas: 8,
    updateStrategy: { type: 'InplaceUpdate', maxUnavailable: 2, canary },
    preDeleteUpdateStrategy: hook,
  };
  await api.create(`${game}/gamedeployments`, gameDeployment(spec));
  await killAgain(server, history, [4]);
  {
    await using _first = await startController(server);
    await complete(api);
  }
  await api.send('PATCH', path, image('2'), merge);
  await killAgain(server, history, [1, 5, 9, 14, 20]);
  await using _last = await startController(server);
  const done = await complete(api);
  expect(done).toMatchObject({ status: { currentStepIndex: 5, updatedReadyReplicas: 8, replicas: 8 } });
  expect(await imagesOf(api)).toEqual(Array.from({ length: 8 }, () => 'app:2'));
  const observer = history.judge();
  expect(observer.complaints).toEqual([]);
  expect(observer.judged.outOfService).toBeGreaterThanOrEqual(8);
  expect(observer.judged.consent).toBeGreaterThanOrEqual(8);
});

test('server, nodes and controller in processes of their own: two of them are killed, and the release goes on', async () => {
  const flags = ['--kube-controllers', 'all', '--nodes', '0', '--controllers', 'none'];
  await using server = await startBoathook({ flags });
  await using service = await startHookService({ age: 20 });
  await using api = openApi(server.access, { connections: 16 });
  const history = followReleases(api);
  const startNodes = async (): Promise<Following> => {
    const nodes = launchBoathook(['nodes', '--kubeconfig', server.kubeconfig, '--profile', 'instant']);
    await nodes.lineLike(/ready in /);
    return nodes;
  };
  const doomed = await startNodes();
  await api.create(`${game}/hooktemplates`, template(service));
  const spec = {
    replicas: 4,
    updateStrategy: { type: 'RollingUpdate', maxUnavailable: 1, maxSurge: 1, canary },
    preDeleteUpdateStrategy: { ...hook, enforce: 'Always' },
  };
  await api.create(`${game}/gamedeployments`, gameDeployment(spec));
  const first = await startController(server);
  await complete(api);
  await api.send('PATCH', path, image('2'), merge);
  await history.more(6);
  await first.stop('SIGKILL');
  await doomed.stop('SIGKILL');
  await killAgain(server, history, [4]);
  await using _nodes = await startNodes();
  await using _controller = await startController(server);
  const done = await complete(api);
  expect(numberAt(done, 'status', 'currentStepIndex')).toBe(5);
  // A release is complete before its last old pod has terminated.
  await vi.waitFor(async () => expect(new Set(await imagesOf(api))).toEqual(new Set(['app:2'])), 60_000);
  const observer = history.judge();
  expect(observer.complaints).toEqual([]);
  expect(observer.judged.consent).toBeGreaterThan(0);
});
