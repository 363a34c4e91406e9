import { expect, test } from 'vitest';
import { listAt, numberAt } from '#base/json.ts';
import { uidOf, type KubeObject } from '#kube/object.ts';
import { launchBoathook, startBoathook, wholeCluster, type Boathook } from '../support/boathook.ts';
import {
  canaryTerminal,
  gameWorkload,
  hookTemplate,
  imageOf,
  imagePath,
  restartsOf,
  startHookService,
  type CanaryTerminal,
} from '../support/canary-terminal.ts';
import { newestKubectl } from '../support/installed.ts';
import { openTerminal } from '../support/kubectl.ts';
import type { Following } from '../support/program.ts';

const flags = ['--controllers', 'hookrun,hooktemplate,gamedeployment', '--outgoing-allow', '127.0.0.0/8'];
const controller = (server: Boathook, identity: string): Following =>
  launchBoathook(['controller', '--kubeconfig', server.kubeconfig, '--identity', identity, ...flags]);

/** As a Deployment does it: the new process is ready before the old one is stopped. */
async function standby(server: Boathook, identity: string): Promise<Following> {
  const next = controller(server, identity);
  await next.lineLike(/stands for election/);
  return next;
}

async function handOver(old: Following, next: Following): Promise<void> {
  expect(await old.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  await next.lineLike(/^running hookrun/);
}

const measured = (run: KubeObject): number =>
  numberAt(listAt(run, 'status', 'metricResults')[0], 'count') ?? 0;

const updated = async (terminal: CanaryTerminal): Promise<number> =>
  (await terminal.list('pod')).filter((pod) => imageOf(pod) === 'python:3.5').length;

test('controllers are replaced three times in the middle of a release, and nothing is done twice', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none', ...wholeCluster] });
  await using hook = await startHookService(20);
  const terminal = canaryTerminal(openTerminal(await newestKubectl(), server, 'default'));
  const one = controller(server, 'one');
  await one.lineLike(/^running hookrun/);
  const provider = { web: { url: hook.url, jsonPath: '{$.age}' } };
  const metric = { count: 3, interval: '3s', successCondition: 'asInt(result) < 30', provider };
  const steps = [{ partition: 2 }, { pause: {} }, { hook: { templateName: 'ask' } }, { pause: {} }];
  const updateStrategy = { type: 'InplaceUpdate', maxUnavailable: 1, canary: { steps } };
  await terminal.apply(
    hookTemplate('ask', metric),
    gameWorkload('GameDeployment', 'shop', { replicas: 4, updateStrategy }),
  );
  await terminal.untilStatus('gamedeployment', 'shop', { phase: 'Complete' });
  const before = await terminal.list('pod');

  // While pods are updated in place.
  const two = await standby(server, 'two');
  await terminal.replace('gamedeployment', 'shop', imagePath, 'python:3.5');
  await expect.poll(() => updated(terminal), { interval: 50 }).toBeGreaterThan(0);
  await handOver(one, two);
  await terminal.untilStatus('gamedeployment', 'shop', { phase: 'Paused', currentStepIndex: 1 });
  // Between two measurements of the hook.
  const three = await standby(server, 'three');
  const first = terminal.seen('hookrun', (run) => measured(run) === 1);
  await terminal.replace('gamedeployment', 'shop', '/spec/updateStrategy/paused', false);
  await first;
  await handOver(two, three);
  await terminal.untilStatus('gamedeployment', 'shop', { phase: 'Paused', currentStepIndex: 3 });
  // In a pause that the user ends while no process leads.
  const four = controller(server, 'four');
  expect(await three.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  await terminal.replace('gamedeployment', 'shop', '/spec/updateStrategy/paused', false);
  const { status } = await terminal.untilStatus('gamedeployment', 'shop', { phase: 'Complete' });
  await four.stop('SIGTERM');

  expect(hook.asked).toHaveLength(3);
  expect(await terminal.list('hookrun')).toHaveLength(1);
  const after = await terminal.list('pod');
  expect(after.map(uidOf)).toEqual(before.map(uidOf));
  expect(after.map(imageOf)).toEqual(Array.from({ length: 4 }, () => 'python:3.5'));
  expect(after.map(restartsOf)).toEqual([1, 1, 1, 1]);
  expect(listAt(status as KubeObject, 'history')).toMatchObject([
    { outcome: 'Complete', verdicts: [{ phase: 'Successful' }] },
    { outcome: 'Complete' },
  ]);
});
