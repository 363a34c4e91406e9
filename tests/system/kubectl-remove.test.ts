import { expect } from 'vitest';
import { samples } from '../support/one-of-each.ts';
import type { Thing } from '../support/https-api.ts';
import { kubectlTests, type Bench, type Check } from '../support/kubectl-checks.ts';

const configMaps = ({ namespace }: Bench): string => `/api/v1/namespaces/${namespace}/configmaps`;
const merge = 'application/merge-patch+json';

/** An owner with two dependents, one of which holds the owner back. */
async function family(bench: Bench): Promise<void> {
  const owner = await bench.api.create(configMaps(bench), { metadata: { name: 'owner' } });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata?.uid };
  for (const name of ['first', 'second']) {
    const ownerReferences = [{ ...reference, blockOwnerDeletion: true }];
    await bench.api.create(configMaps(bench), { metadata: { name, ownerReferences } });
  }
}

const gone = ({ api }: Bench, path: string): Promise<unknown> =>
  api.send('GET', path).then(async ({ status, body }) => {
    if (status === 404) return undefined;
    const { namespace, name, resourceVersion } = body.metadata ?? {};
    const collection = `/api/v1/namespaces/${namespace}/configmaps`;
    const query = `watch=true&fieldSelector=metadata.name=${name}&resourceVersion=${resourceVersion}`;
    return api.seen(`${collection}?${query}`, ({ type }) => type === 'DELETED');
  });

const left = async ({ kubectl }: Bench): Promise<readonly string[]> =>
  (await kubectl.run(['get', 'configmaps', '--output', 'name']))
    .trim()
    .split('\n')
    .filter((line) => line !== '' && line !== 'configmap/kube-root-ca.crt');

const checks: readonly Check[] = [
  {
    name: 'delete prints what it deleted and waits until it is gone',
    async act(bench) {
      await family(bench);
      const out = await bench.kubectl.run(['delete', 'configmap', 'second', '--timeout=300s']);
      expect(out).toMatch(/^configmap "second" deleted/);
      expect(await left(bench)).toEqual(['configmap/first', 'configmap/owner']);
    },
  },
  {
    name: 'delete --cascade=background takes the dependents along afterwards',
    async act(bench) {
      await family(bench);
      await bench.kubectl.run(['delete', 'configmap', 'owner', '--cascade=background', '--timeout=300s']);
      await Promise.all(['first', 'second'].map((name) => gone(bench, `${configMaps(bench)}/${name}`)));
      expect(await left(bench)).toEqual([]);
    },
  },
  {
    name: 'delete --cascade=foreground keeps the owner until its dependents are gone',
    async act(bench) {
      await family(bench);
      const held = `${configMaps(bench)}/first`;
      await bench.api.send('PATCH', held, { metadata: { finalizers: ['example.com/hold'] } }, merge);
      const args = ['delete', 'configmap', 'owner', '--cascade=foreground', '--wait=false'];
      await bench.kubectl.run(args);
      await gone(bench, `${configMaps(bench)}/second`);
      const owner = await bench.kubectl.json<Thing>(['get', 'configmap', 'owner']);
      expect(owner.metadata).toMatchObject({
        deletionTimestamp: expect.stringMatching(/Z$/) as string,
        finalizers: ['foregroundDeletion'],
      });
      const waiting = gone(bench, `${configMaps(bench)}/owner`);
      await bench.api.send('PATCH', held, { metadata: { finalizers: null } }, merge);
      await waiting;
      expect(await left(bench)).toEqual([]);
    },
  },
  {
    name: 'delete --cascade=foreground waits for all of it',
    async act(bench) {
      await family(bench);
      await bench.kubectl.run(['delete', 'configmap', 'owner', '--cascade=foreground', '--timeout=300s']);
      expect(await left(bench)).toEqual([]);
    },
  },
  {
    name: 'delete --cascade=orphan leaves the dependents without an owner',
    async act(bench) {
      await family(bench);
      await bench.kubectl.run(['delete', 'configmap', 'owner', '--cascade=orphan', '--timeout=300s']);
      const { items } = await bench.kubectl.json<{ items: Thing[] }>(['get', 'configmap', 'first', 'second']);
      expect(items.map(({ metadata }) => [metadata?.name, metadata?.['ownerReferences']])).toEqual([
        ['first', undefined],
        ['second', undefined],
      ]);
    },
  },
  {
    name: 'delete of a deployment takes its replica sets and pods along',
    slow: true,
    async act(bench) {
      const { api, kubectl, namespace } = bench;
      const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts?watch=true`;
      await api.seen(accounts, ({ object }) => object.metadata?.name === 'default');
      const spec = { containers: [{ name: 'c', image: 'example.com/c' }] };
      const template = { metadata: { labels: { app: 'x' } }, spec };
      const selector = { matchLabels: { app: 'x' } };
      const apps = `/apis/apps/v1/namespaces/${namespace}`;
      const made = await api.create(`${apps}/deployments`, {
        metadata: { name: 'web' },
        spec: { replicas: 0, selector, template },
      });
      const owned = (owner: Thing): object => ({
        ownerReferences: [
          {
            apiVersion: owner.apiVersion,
            kind: owner.kind,
            name: owner.metadata?.name,
            uid: owner.metadata?.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
        labels: { app: 'x' },
      });
      const set = await api.create(`${apps}/replicasets`, {
        metadata: { name: 'web-1', ...owned(made) },
        spec: { replicas: 0, selector, template },
      });
      await api.create(`/api/v1/namespaces/${namespace}/pods`, {
        metadata: { name: 'web-1-a', ...owned(set) },
        spec,
      });
      await kubectl.run(['delete', 'deployment', 'web', '--cascade=foreground', '--timeout=300s']);
      expect(await kubectl.run(['get', 'deployments,replicasets,pods', '--output', 'name'])).toBe('');
    },
  },
  {
    name: 'delete --all and --selector delete what fits',
    async act(bench) {
      const { api, kubectl } = bench;
      for (const [name, app] of Object.entries({ a: 'x', b: 'x', c: 'y', d: 'y' }))
        await api.create(configMaps(bench), { metadata: { name, labels: { app } } });
      await kubectl.run(['delete', 'configmaps', '--selector', 'app=x', '--timeout=300s']);
      expect(await left(bench)).toEqual(['configmap/c', 'configmap/d']);
      await kubectl.run(['delete', 'configmaps', '--all', '--timeout=300s']);
      expect(await left(bench)).toEqual([]);
    },
  },
  {
    name: 'delete --ignore-not-found accepts an absent object, without it that is an error',
    async act({ kubectl }) {
      expect(await kubectl.run(['delete', 'configmap', 'nobody', '--ignore-not-found'])).toBe('');
      const { code, error } = await kubectl.attempt(['delete', 'configmap', 'nobody']);
      expect({ code, error }).toEqual({
        code: 1,
        error: 'Error from server (NotFound): configmaps "nobody" not found\n',
      });
    },
  },
  {
    name: 'delete --force --grace-period=0 removes a pod at once',
    async act({ kubectl, api, namespace }) {
      const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts?watch=true`;
      await api.seen(accounts, ({ object }) => object.metadata?.name === 'default');
      const spec = { nodeName: 'far', containers: [{ name: 'c', image: 'example.com/c' }] };
      await api.create(`/api/v1/namespaces/${namespace}/pods`, { metadata: { name: 'p' }, spec });
      await kubectl.run(['delete', 'pod', 'p', '--wait=false']);
      expect(await kubectl.run(['get', 'pod', 'p'])).toMatch(/\sTerminating\s/);
      await kubectl.run(['delete', 'pod', 'p', '--force', '--grace-period=0', '--timeout=300s']);
      expect((await kubectl.attempt(['get', 'pod', 'p'])).error).toMatch(/NotFound/);
    },
  },
  {
    name: 'delete of an object with a finalizer waits until its timeout',
    slow: true,
    async act(bench) {
      const { api, kubectl } = bench;
      const metadata = { name: 'held', finalizers: ['example.com/hold'] };
      await api.create(configMaps(bench), { metadata });
      const { code, error } = await kubectl.attempt(['delete', 'configmap', 'held', '--timeout=1s']);
      expect(code).toBe(1);
      expect(error).toMatch(/timed out waiting for the condition on configmaps\/held/);
      expect(await left(bench)).toEqual(['configmap/held']);
    },
  },
  {
    name: 'delete namespace leaves nothing behind',
    slow: true,
    async act({ kubectl, api, namespace }) {
      const within = samples.filter(({ path }) => path.includes('/namespaces/'));
      const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts?watch=true`;
      await api.seen(accounts, ({ object }) => object.metadata?.name === 'default');
      for (const { path, object } of within)
        await api.create(path.replace(/namespaces\/\w+/, `namespaces/${namespace}`), {
          ...object,
          ...('involvedObject' in object
            ? { involvedObject: { ...(object['involvedObject'] as object), namespace } }
            : {}),
        });
      await kubectl.run(['delete', 'namespace', namespace, '--timeout=300s']);
      const rest = await Promise.all(
        within.map(async ({ path }) => {
          const { body } = await api.send('GET', path.replace(/namespaces\/\w+\//, ''));
          const { items } = body as unknown as { items: Thing[] };
          return items.filter(({ metadata }) => metadata?.namespace === namespace);
        }),
      );
      expect(rest.flat()).toEqual([]);
      expect((await kubectl.attempt(['get', 'namespace', namespace])).error).toMatch(/NotFound/);
    },
  },
  {
    name: 'a terminating namespace accepts nothing new',
    async act(bench) {
      const { kubectl, api, namespace } = bench;
      await api.create(configMaps(bench), { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
      await kubectl.run(['delete', 'namespace', namespace, '--wait=false']);
      const { code, error } = await kubectl.attempt(['create', 'configmap', 'late']);
      expect(code).toBe(1);
      expect(error).toMatch(/because it is being terminated/);
      expect(await kubectl.run(['get', 'namespace', namespace])).toMatch(/\sTerminating\s/);
      const path = `${configMaps(bench)}/held`;
      await api.send('PATCH', path, { metadata: { finalizers: null } }, merge);
      await kubectl
        .run(['wait', '--for=delete', `namespace/${namespace}`, '--timeout=300s'])
        .catch(async (error: unknown) => {
          // Before 1.23, waiting for what is gone already was an error.
          if (!String(error).includes('NotFound')) throw error;
        });
      expect((await kubectl.attempt(['get', 'namespace', namespace])).error).toMatch(/NotFound/);
    },
  },
];

await kubectlTests('remove', checks);
