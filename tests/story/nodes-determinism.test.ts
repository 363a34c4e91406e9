import { expect, test } from 'vitest';
import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { memoryJournal } from '#base/memory-journal.ts';
import { seededRandom } from '#base/random.ts';
import { formatTime, instant, later, millis, minutes, parseTime } from '#base/time.ts';
import { simulationProfile } from '#embedded/nodes/profile/simulation-profile.ts';
import { controllerNames } from '#embedded/controllers/start.ts';
import { startEmbedded } from '#embedded/start.ts';
import { simulationProfiles } from '#embedded/nodes/profile/simulation-rules.ts';
import { createClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Resource } from '#kube/resource.ts';
import { systemTasks } from '#edge/tasks.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { downAnnotation } from '#embedded/nodes/node/node-registry.ts';
import { never, nodes, pods } from '../support/nodes-cluster.ts';

const apps = (plural: string): Resource => ({ group: 'apps', version: 'v1', plural, namespaced: true });
const jobs: Resource = { group: 'batch', version: 'v1', plural: 'jobs', namespaced: true };
const began = parseTime('2026-05-04T03:02:01Z') ?? instant(0);

const template = (app: string, annotations: JsonObject = {}): JsonObject => ({
  metadata: {
    labels: { app },
    annotations: Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [`sim.boathook.dev/${key}`, value]),
    ),
  },
  spec: {
    containers: [
      { name: 'c', image: `${app}:1`, readinessProbe: { httpGet: { port: 80 }, periodSeconds: 5 } },
    ],
    topologySpreadConstraints: [
      {
        maxSkew: 2,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { app } },
      },
    ],
  },
});
const workload = (kind: string, app: string, replicas: number, annotations: JsonObject = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: app, namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app } },
    template: template(app, annotations),
    ...(kind === 'StatefulSet' && { serviceName: app, podManagementPolicy: 'Parallel' }),
  },
});
const sweep: KubeObject = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sweep', namespace: 'default' },
  spec: {
    completions: 8,
    parallelism: 4,
    backoffLimit: 10,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'broom:1' }] } },
  },
};
const badDay: KubeObject = {
  apiVersion: 'boathook.dev/v1alpha1',
  kind: 'SimulationProfile',
  metadata: { name: 'bad-day' },
  spec: {
    expiresAt: formatTime(later(began, minutes(4))),
    rules: [
      {
        name: 'crash',
        match: { matchLabels: { app: 'web' } },
        probability: 0.3,
        set: { 'crash-after': '7s', 'exit-code': 2 },
      },
      {
        name: 'flap',
        match: { matchLabels: { app: 'store' } },
        probability: 0.5,
        set: { probe: 'flap:11s' },
      },
      { name: 'fail', match: { ownerKinds: ['Job'] }, probability: 0.4, set: { 'exit-code': 1 } },
    ],
  },
};

type Run = {
  readonly commits: readonly string[];
  readonly pods: readonly KubeObject[];
  readonly seen: number;
};

/** An hour's worth of trouble in a small cluster. */
async function live(seed: number): Promise<Run> {
  const clock = manualClock(began);
  const commits: string[] = [];
  const embedded = await startEmbedded({
    journal: memoryJournal(),
    clock,
    random: seededRandom(7),
    tasks: systemTasks,
    tokens: [],
    rootCa: 'the authority',
    kubeControllers: new Set(controllerNames),
    nodes: { count: 6, profile: 'realistic', timeScale: 1, seed },
    kinds: [simulationProfile],
    report: (error) => {
      throw error;
    },
  });
  const seen = new Set<string>();
  embedded.server.context.store.subscribe((changes) => {
    commits.push(...changes.map((change) => JSON.stringify(change)));
    for (const { resource, after } of changes) if (resource === '/pods') seen.add(nameOf(after.object));
  });
  const transport = inProcessTransport(embedded.server.serve, { user: 'admin', groups: ['system:masters'] });
  const client = createClient({ transport, clock, userAgent: 'story' });
  const settle = async (): Promise<void> => {
    for (let quiet = 0, last = -1; quiet < 25; quiet += 1) {
      await new Promise<void>((resolve) => systemTasks.soon(resolve));
      if (commits.length !== last) quiet = 0;
      last = commits.length;
    }
  };
  const pass = async (span: number, step: number): Promise<void> => {
    for (let left = span; left > 0; left -= step) {
      clock.advance(millis(step));
      await settle();
    }
  };
  const patch = async (resource: Resource, name: string, body: JsonObject): Promise<void> => {
    const key = resource.namespaced ? { namespace: 'default', name } : { name };
    const done = await client.patch(resource, key, { type: 'merge', body }, never);
    expect(done.type).toBe('ok');
    await settle();
  };
  await embedded.ready;
  await settle();
  await client.create(simulationProfiles, badDay, never);
  await client.create(apps('deployments'), workload('Deployment', 'web', 30), never);
  await client.create(
    apps('deployments'),
    workload('Deployment', 'weak', 12, { 'crash-after': '3s' }),
    never,
  );
  await client.create(apps('statefulsets'), workload('StatefulSet', 'store', 10), never);
  await client.create(jobs, sweep, never);
  await pass(30_000, 500);
  await patch(nodes, 'node-2', { metadata: { annotations: { [downAnnotation]: 'true' } } });
  await patch(apps('deployments'), 'web', {
    spec: { template: { spec: { containers: [{ name: 'c', image: 'web:2' }] } } },
  });
  await pass(60_000, 1000);
  await patch(apps('deployments'), 'weak', { spec: { replicas: 5 } });
  await client.remove(nodes, { name: 'node-4' }, never);
  await pass(360_000, 5000);
  await patch(nodes, 'node-2', { metadata: { annotations: { [downAnnotation]: null } } });
  await pass(120_000, 5000);
  const listed = await client.list(pods, { namespace: 'default' }, never);
  await embedded.close();
  return { commits, pods: listed.type === 'ok' ? listed.items : [], seen: seen.size };
}

const restartsOf = (pod: KubeObject): number =>
  listAt(pod, 'status', 'containerStatuses').reduce<number>(
    (sum, each) => sum + (numberAt(each, 'restartCount') ?? 0),
    0,
  );

test(
  'the same seed and clock give a busy cluster the same history, write by write',
  { timeout: 120_000 },
  async () => {
    const first = await live(1);
    expect(first.seen).toBeGreaterThan(80);
    expect(first.commits.length).toBeGreaterThan(1000);
    const running = first.pods.filter((each) => textAt(each, 'status', 'phase') === 'Running');
    const of = (app: string): readonly KubeObject[] =>
      running.filter((each) => textAt(each, 'metadata', 'labels', 'app') === app);
    expect([of('web').length, of('weak').length, of('store').length]).toEqual([30, 5, 10]);
    expect(of('weak').every((each) => restartsOf(each) > 2)).toBe(true);
    expect(of('web').some((each) => restartsOf(each) > 0)).toBe(true);
    expect(running.some((each) => textAt(each, 'spec', 'nodeName') === 'node-4')).toBe(false);

    const second = await live(1);
    expect(firstDifference(first.commits, second.commits)).toBeUndefined();
    expect((await live(2)).commits).not.toEqual(first.commits);
  },
);

/** Short enough to be read when it fails. */
function firstDifference(left: readonly string[], right: readonly string[]): unknown {
  const at = left.findIndex((each, index) => each !== right[index]);
  if (at < 0 && left.length === right.length) return undefined;
  return {
    at,
    left: left[at]?.slice(0, 800),
    right: right[at]?.slice(0, 800),
    lengths: [left.length, right.length],
  };
}
