import { expect } from 'vitest';
import { kubectlTests, type Bench, type Check } from '../support/kubectl-checks.ts';

const configMaps = ({ namespace }: Bench): string => `/api/v1/namespaces/${namespace}/configmaps`;
const merge = 'application/merge-patch+json';

const checks: readonly Check[] = [
  {
    name: 'get --watch prints a row for each change',
    async act(bench) {
      const { api, kubectl } = bench;
      await api.create(configMaps(bench), { metadata: { name: 'one' } });
      // As a list: kubectl keeps the first event of a single object to itself.
      const args = ['get', 'configmaps', '--field-selector=metadata.name=one', '--watch', '--no-headers'];
      await using watching = kubectl.follow(args);
      expect(await watching.line()).toMatch(/^one\s+0\s/);
      await api.send('PATCH', `${configMaps(bench)}/one`, { data: { a: '1' } }, merge);
      expect(await watching.line()).toMatch(/^one\s+1\s/);
      await api.send('PATCH', `${configMaps(bench)}/one`, { data: { b: '2' } }, merge);
      expect(await watching.line()).toMatch(/^one\s+2\s/);
    },
  },
  {
    name: 'get --watch --output-watch-events names each change',
    async act(bench) {
      const { api, kubectl } = bench;
      const metadata = { name: 'one', labels: { seen: 'yes' } };
      await api.create(configMaps(bench), { metadata });
      const args = [
        'get',
        'configmaps',
        '--selector=seen',
        '--watch',
        '--output-watch-events',
        '--no-headers',
      ];
      await using watching = kubectl.follow(args);
      expect(await watching.lineLike(/one/)).toMatch(/^ADDED\s+one\s+0/);
      await api.create(configMaps(bench), { metadata: { ...metadata, name: 'two' } });
      expect(await watching.line()).toMatch(/^ADDED\s+two\s+0/);
      await api.send('PATCH', `${configMaps(bench)}/one`, { data: { a: '1' } }, merge);
      expect(await watching.line()).toMatch(/^MODIFIED\s+one\s+1/);
      await api.send('DELETE', `${configMaps(bench)}/one`);
      expect(await watching.line()).toMatch(/^DELETED\s+one\s+1/);
    },
  },
  {
    name: 'get --watch-only starts with the next change',
    async act(bench) {
      const { api, kubectl } = bench;
      await api.create(configMaps(bench), { metadata: { name: 'before' } });
      const args = ['get', 'configmaps', '--field-selector=metadata.name!=kube-root-ca.crt', '--watch-only'];
      await using watching = await kubectl.watching([...args, '--output', 'name']);
      await api.create(configMaps(bench), { metadata: { name: 'after' } });
      expect(await watching.line()).toBe('configmap/after');
    },
  },
  {
    name: 'get --watch --output jsonpath prints a field at each change',
    async act(bench) {
      const { api, kubectl } = bench;
      await api.create(configMaps(bench), { metadata: { name: 'one' } });
      const args = ['get', 'configmaps', '--field-selector=metadata.name=one', '--watch', '--output'];
      await using watching = kubectl.follow([...args, 'jsonpath={.metadata.name}{.data.a}{"\\n"}']);
      expect(await watching.line()).toBe('one');
      await api.send('PATCH', `${configMaps(bench)}/one`, { data: { a: 'tide' } }, merge);
      expect(await watching.line()).toBe('onetide');
    },
  },
  {
    name: 'wait --for=condition returns when the condition turns true',
    async act({ kubectl, api, namespace }) {
      const pods = `/api/v1/namespaces/${namespace}/pods`;
      const spec = { containers: [{ name: 'c', image: 'example.com/c' }] };
      await accountReady(api, namespace);
      await api.create(pods, { metadata: { name: 'p' }, spec });
      const early = await kubectl.attempt(['wait', 'pod/p', '--for=condition=Ready', '--timeout=1s']);
      expect(early.code).toBe(1);
      expect(early.error).toMatch(/timed out waiting for the condition on pods\/p/);
      await using waiting = await kubectl.watching([
        'wait',
        'pod/p',
        '--for=condition=Ready',
        '--timeout=300s',
      ]);
      const status = { conditions: [{ type: 'Ready', status: 'True' }] };
      await api.send('PATCH', `${pods}/p/status`, { status }, merge);
      expect(await waiting.line()).toBe('pod/p condition met');
      expect(await waiting.ended).toEqual({ code: 0, signal: null });
    },
  },
  {
    name: 'wait --for=delete returns when the object is gone',
    async act(bench) {
      const { api, kubectl } = bench;
      const metadata = { name: 'one', finalizers: ['example.com/hold'] };
      await api.create(configMaps(bench), { metadata });
      await api.send('DELETE', `${configMaps(bench)}/one`);
      await using waiting = await kubectl.watching([
        'wait',
        'configmap/one',
        '--for=delete',
        '--timeout=300s',
      ]);
      await api.send('PATCH', `${configMaps(bench)}/one`, { metadata: { finalizers: null } }, merge);
      expect(await waiting.ended).toEqual({ code: 0, signal: null });
    },
  },
  {
    name: 'wait --for=jsonpath returns when the field has the value',
    async act(bench) {
      const { api, kubectl } = bench;
      await api.create(configMaps(bench), { metadata: { name: 'one' }, data: { tide: 'low' } });
      await using waiting = await kubectl.watching([
        'wait',
        'configmap/one',
        '--for=jsonpath={.data.tide}=high',
        '--timeout=300s',
      ]);
      await api.send('PATCH', `${configMaps(bench)}/one`, { data: { tide: 'high' } }, merge);
      expect(await waiting.line()).toBe('configmap/one condition met');
    },
  },
  {
    name: 'wait --for=create returns when the object appears',
    async act(bench) {
      const { api, kubectl } = bench;
      await using waiting = kubectl.follow(['wait', 'configmap/one', '--for=create', '--timeout=300s']);
      await api.create(configMaps(bench), { metadata: { name: 'one' } });
      expect(await waiting.line()).toBe('configmap/one condition met');
    },
  },
  {
    name: 'rollout status follows the status of a deployment to its end',
    async act({ kubectl, api, namespace }) {
      const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
      const labels = { app: 'web' };
      const template = {
        metadata: { labels },
        spec: { containers: [{ name: 'c', image: 'example.com/c' }] },
      };
      const spec = { replicas: 1, selector: { matchLabels: labels }, template };
      await api.create(deployments, { metadata: { name: 'web' }, spec });
      await using following = kubectl.follow(['rollout', 'status', 'deployment/web', '--timeout=300s']);
      expect(await following.line()).toMatch(/^Waiting for deployment/);
      const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
      const status = { observedGeneration: 1, ...counts };
      await api.send('PATCH', `${deployments}/web/status`, { status }, merge);
      expect(await following.lineLike(/successfully/)).toBe('deployment "web" successfully rolled out');
    },
  },
];

/** The account that pods of a namespace run as is there. */
async function accountReady(api: Bench['api'], namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts?watch=true`;
  await api.seen(path, ({ object }) => object.metadata?.name === 'default');
}

await kubectlTests('follow', checks);
