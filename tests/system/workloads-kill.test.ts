import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { startBoathook, wholeCluster, type Boathook } from '../support/boathook.ts';
import { openApi, type HttpsApi, type Thing } from '../support/https-api.ts';

const apps = '/apis/apps/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const pods = '/api/v1/namespaces/default/pods';
const index = 'batch.kubernetes.io/job-completion-index';

const spec = (image: string, more: object = {}): object => ({ containers: [{ name: 'c', image }], ...more });
const template = (app: string, more: object = {}): object => ({
  metadata: { labels: { app } },
  spec: spec('i:1', more),
});
const workload = (kind: string, app: string, more: object): object => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: app },
  spec: { selector: { matchLabels: { app } }, template: template(app), ...more },
});

const deployment = workload('Deployment', 'web', {
  replicas: 8,
  strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } },
});
const statefulSet = workload('StatefulSet', 'db', { replicas: 2, serviceName: 'db' });
const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sum' },
  spec: {
    completions: 12,
    parallelism: 3,
    completionMode: 'Indexed',
    template: template('sum', { restartPolicy: 'Never' }),
  },
};

type Items = { readonly items: readonly Thing[] };
type Status = Readonly<Record<string, number | undefined>>;
const statusOf = (thing: Thing): Status => (thing['status'] ?? {}) as Status;

const changed = (more: object): object => ({ spec: { template: { spec: spec('i:2') }, ...more } });
const merge = 'application/merge-patch+json';

/** The object when it is as wanted. */
async function become(api: HttpsApi, path: string, isWanted: (status: Status) => boolean): Promise<void> {
  const [, collection = '', name = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  await api.seen(`${collection}?watch=true&fieldSelector=metadata.name%3D${name}`, ({ object }) =>
    isWanted(statusOf(object)),
  );
}

const all =
  (count: number, ...keys: readonly string[]) =>
  (status: Status): boolean =>
    keys.every((key) => status[key] === count);

const start = (dataDir: string): Promise<Boathook> =>
  startBoathook({ dataDir, flags: [...wholeCluster, '--profile', 'fast'] });

async function begin(api: HttpsApi): Promise<void> {
  await api.create(`${apps}/deployments`, deployment);
  await api.create(`${apps}/statefulsets`, statefulSet);
  await become(api, `${apps}/deployments/web`, all(8, 'replicas', 'availableReplicas'));
  await become(api, `${apps}/statefulsets/db`, all(2, 'replicas', 'availableReplicas'));
  await api.create(`${batch}/jobs`, job);
  await api.send('PATCH', `${apps}/deployments/web`, changed({}), merge);
  await api.send('PATCH', `${apps}/statefulsets/db`, changed({ replicas: 4 }), merge);
}

async function end(api: HttpsApi): Promise<void> {
  await become(
    api,
    `${apps}/deployments/web`,
    (status) =>
      status['observedGeneration'] === 2 &&
      all(8, 'replicas', 'updatedReplicas', 'availableReplicas')(status),
  );
  await become(
    api,
    `${apps}/statefulsets/db`,
    (status) =>
      status['observedGeneration'] === 2 &&
      all(4, 'replicas', 'updatedReplicas', 'availableReplicas')(status),
  );
  await become(api, `${batch}/jobs/sum`, ({ succeeded, completionTime }) =>
    Boolean(succeeded === 12 && completionTime),
  );
}

const podsOf = async (api: HttpsApi, app: string): Promise<readonly Thing[]> => {
  const { body } = await api.send('GET', `${pods}?labelSelector=app%3D${app}`);
  return (body as unknown as Items).items.filter(
    ({ metadata }) => metadata?.['deletionTimestamp'] === undefined,
  );
};

test('a rollout, a job and a stateful set that grows survive kills: they end as wanted, and nothing is done twice', async () => {
  using folder = tempDir();
  const dataDir = join(folder.path, 'data');
  for (const wait of [150, 300, 450, 200]) {
    await using server = await start(dataDir);
    await using api = openApi(server.access);
    if (wait === 150) await begin(api);
    await delay(wait);
    await server.stop('SIGKILL');
  }
  await using server = await start(dataDir);
  await using api = openApi(server.access);
  await end(api);
  expect(await podsOf(api, 'web')).toHaveLength(8);
  expect((await podsOf(api, 'db')).map(({ metadata }) => metadata?.name)).toEqual([
    'db-0',
    'db-1',
    'db-2',
    'db-3',
  ]);
  const ran = (await podsOf(api, 'sum')).map(({ metadata }) =>
    Number((metadata?.['annotations'] as Record<string, string> | undefined)?.[index]),
  );
  expect(ran.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, at) => at));
  const { body: sets } = await api.send('GET', `${apps}/replicasets`);
  expect((sets as unknown as Items).items).toHaveLength(2);
  const { body: revisions } = await api.send('GET', `${apps}/controllerrevisions`);
  expect((revisions as unknown as Items).items).toHaveLength(2);
  const { body: counted } = await api.send('GET', `${batch}/jobs/sum`);
  expect(statusOf(counted)).toMatchObject({ succeeded: 12, completedIndexes: '0-11' });
  expect(statusOf(counted)['failed']).toBeUndefined();
});
