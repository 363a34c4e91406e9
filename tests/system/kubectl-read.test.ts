import { expect } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Thing } from '../support/https-api.ts';
import { kubectlTests, type Check } from '../support/kubectl-checks.ts';
import { createSamples, sampleNamespace, samples } from '../support/one-of-each.ts';

const everything = samples.map(({ resource }) => resource).join(',');
const all = ['get', everything, '--namespace', sampleNamespace];
type List = { readonly kind: string; readonly items: readonly Thing[] };
const ours = (list: List): readonly Thing[] =>
  list.items.filter(({ metadata }) => metadata?.name === 'one-of-each');

const checks: readonly Check[] = [
  {
    name: 'get of every kind prints its rows',
    async act({ kubectl }) {
      const out = await kubectl.run(all);
      const named = samples.filter(({ resource }) => resource !== 'events');
      expect(named.filter(({ resource }) => !out.includes(`${rowKind(resource)}/one-of-each`))).toEqual([]);
    },
  },
  {
    name: 'get --output wide prints the columns of every kind',
    async act({ kubectl }) {
      const out = await kubectl.run([...all, '--output', 'wide']);
      const headers = out
        .split('\n\n')
        .map((section) =>
          section
            .split('\n')[0]
            ?.split(/\s{2,}/)
            .join(' ')
            .trim(),
        )
        .filter((header) => header !== undefined && header !== '');
      expect(headers).toEqual(samples.map(({ header }) => header));
    },
  },
  {
    name: 'get --output json gives whole objects of every kind',
    async act({ kubectl }) {
      const found = ours(await kubectl.json<List>(all));
      expect(found.map(({ apiVersion }) => apiVersion)).toEqual(
        samples.map(({ object }) => object.apiVersion),
      );
      for (const { kind, metadata } of found) {
        expect(kind).toMatch(/^[A-Z]\w+$/);
        expect(metadata).toMatchObject({
          uid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          resourceVersion: expect.stringMatching(/^\d+$/) as string,
          creationTimestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        });
      }
    },
  },
  {
    name: 'get --output yaml has the same content as --output json',
    async act({ kubectl }) {
      const [document] = parseAllDocuments(await kubectl.run([...all, '--output', 'yaml']));
      expect(document?.toJSON()).toEqual(await kubectl.json<List>(all));
    },
  },
  {
    name: 'get --output name gives kind, group and name',
    async act({ kubectl }) {
      const lines = (await kubectl.run([...all, '--output', 'name'])).trim().split('\n');
      const wanted = samples.map(({ resource }) => `${rowKind(resource)}/one-of-each`);
      expect(lines.filter((line) => line.endsWith('/one-of-each'))).toEqual(wanted);
    },
  },
  {
    name: 'get --output jsonpath reads fields of every kind',
    async act({ kubectl }) {
      const path = '{range .items[?(@.metadata.name=="one-of-each")]}{.apiVersion}{"\\n"}{end}';
      const lines = (await kubectl.run([...all, '--output', `jsonpath=${path}`])).trim().split('\n');
      expect(lines).toEqual(samples.map(({ object }) => object.apiVersion));
    },
  },
  {
    name: 'get --output custom-columns chooses what to print',
    async act({ kubectl }) {
      const columns = 'custom-columns=VERSION:.apiVersion,WHO:.metadata.name';
      const lines = (await kubectl.run([...all, '--output', columns])).trim().split('\n');
      expect(lines[0]?.split(/\s+/)).toEqual(['VERSION', 'WHO']);
      const rows = lines.map((line) => line.split(/\s+/)).filter(([, who]) => who === 'one-of-each');
      expect(rows.map(([version]) => version)).toEqual(samples.map(({ object }) => object.apiVersion));
    },
  },
  {
    name: 'get --output go-template works on a single object',
    async act({ kubectl }) {
      const args = ['get', 'cm', 'one-of-each', '--namespace', sampleNamespace];
      expect(await kubectl.run([...args, '--output', 'go-template={{.kind}} {{.data.a}}'])).toBe(
        'ConfigMap b',
      );
    },
  },
  {
    name: 'get understands short names, singular names and kinds',
    async act({ kubectl }) {
      for (const word of ['deploy', 'deployment', 'Deployment', 'deployments.v1.apps']) {
        const args = ['get', word, 'one-of-each', '--namespace', sampleNamespace, '--output', 'name'];
        expect(await kubectl.run(args)).toBe('deployment.apps/one-of-each\n');
      }
    },
  },
  {
    name: 'get all shows the usual workloads',
    async act({ kubectl }) {
      const lines = (await kubectl.run(['get', 'all', '--namespace', sampleNamespace, '--output', 'name']))
        .trim()
        .split('\n');
      expect(lines).toEqual(
        expect.arrayContaining(['pod/one-of-each', 'service/one-of-each', 'deployment.apps/one-of-each']),
      );
    },
  },
  {
    name: 'get --all-namespaces names the namespace of each row',
    async act({ kubectl }) {
      const lines = (await kubectl.run(['get', 'configmaps', '--all-namespaces'])).split('\n');
      expect(lines[0]).toMatch(/^NAMESPACE\s+NAME\s+DATA\s+AGE$/);
      expect(lines.filter((line) => /^harbour\s+one-of-each\s+1\s/.test(line))).toHaveLength(1);
    },
  },
  {
    name: 'get --selector and --field-selector choose rows',
    async act({ kubectl, namespace, api }) {
      for (const [name, app] of Object.entries({ one: 'web', two: 'web', three: 'db' })) {
        const metadata = { name, labels: { app } };
        await api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata });
      }
      const names = (...args: string[]): Promise<string> =>
        kubectl.run(['get', 'configmaps', '--output', 'name', ...args]);
      expect(await names('--selector', 'app=web')).toBe('configmap/one\nconfigmap/two\n');
      expect(await names('--selector', 'app notin (web),app')).toBe('configmap/three\n');
      expect(await names('--field-selector', 'metadata.name=two')).toBe('configmap/two\n');
    },
  },
  {
    name: 'get --show-labels and --label-columns print labels',
    async act({ kubectl, namespace, api }) {
      const metadata = { name: 'one', labels: { app: 'web' } };
      await api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata });
      const args = ['get', 'configmaps', 'one', '--no-headers'];
      expect(await kubectl.run([...args, '--show-labels'])).toMatch(/^one\s+0\s+\S+\s+app=web\n$/);
      expect(await kubectl.run([...args, '--label-columns', 'app'])).toMatch(/^one\s+0\s+\S+\s+web\n$/);
    },
  },
  {
    name: 'get --sort-by orders rows',
    async act({ kubectl, namespace, api }) {
      for (const [name, rank] of Object.entries({ first: '3', second: '1', third: '2' })) {
        const metadata = { name, annotations: { rank } };
        await api.create(`/api/v1/namespaces/${namespace}/secrets`, { metadata });
      }
      const out = await kubectl.run([
        'get',
        'secrets',
        '--sort-by={.metadata.annotations.rank}',
        '--no-headers',
      ]);
      expect(
        out
          .trim()
          .split('\n')
          .map((line) => line.split(' ')[0]),
      ).toEqual(['second', 'third', 'first']);
    },
  },
  {
    name: 'get --chunk-size reads cluster-scoped lists in pages',
    async act({ kubectl }) {
      const whole = await kubectl.run(['get', 'namespaces', '--output', 'name']);
      const half = Math.floor(whole.trim().split('\n').length / 2);
      const pages = ['get', 'namespaces', '--chunk-size', String(half), '--output', 'name'];
      expect(await kubectl.run(pages)).toBe(whole);
    },
  },
  {
    name: 'get --chunk-size reads long lists in pages',
    async act({ kubectl, namespace, api }) {
      const names = Array.from({ length: 25 }, (_, at) => `item-${String(at).padStart(2, '0')}`);
      for (const name of names)
        await api.create(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name } });
      const out = await kubectl.run(['get', 'secrets', '--chunk-size', '7', '--output', 'name']);
      expect(out.trim().split('\n')).toEqual(names.map((name) => `secret/${name}`));
    },
  },
  {
    name: 'get of an absent object fails with NotFound',
    async act({ kubectl }) {
      const { code, error } = await kubectl.attempt(['get', 'configmap', 'nobody']);
      expect({ code, error }).toEqual({
        code: 1,
        error: 'Error from server (NotFound): configmaps "nobody" not found\n',
      });
    },
  },
  {
    name: 'get of a kind that is not served fails with a message',
    async act({ kubectl }) {
      const { code, error } = await kubectl.attempt(['get', 'unicorns']);
      expect({ code, error }).toEqual({
        code: 1,
        error: 'error: the server doesn\'t have a resource type "unicorns"\n',
      });
    },
  },
  {
    name: 'get of an empty namespace reports that there is nothing',
    async act({ kubectl, namespace }) {
      const { code, out, error } = await kubectl.attempt(['get', 'deployments']);
      expect({ code, out, error }).toEqual({
        code: 0,
        out: '',
        error: `No resources found in ${namespace} namespace.\n`,
      });
    },
  },
  {
    name: 'describe shows a deployment and a pod',
    slow: true,
    async act({ kubectl }) {
      const of = (kind: string): Promise<string> =>
        kubectl.run(['describe', kind, 'one-of-each', '--namespace', sampleNamespace]);
      expect(await of('deployment')).toMatch(/^Name:\s+one-of-each$/m);
      expect(await of('deployment')).toMatch(/^Selector:\s+app=sample$/m);
      expect(await of('pod')).toMatch(/Image:\s+example\.com\/c:1/);
    },
  },
];

/** How kubectl writes a kind in front of a name: singular, with the group. */
function rowKind(resource: string): string {
  const [plural = '', ...group] = resource.split('.');
  const singular = singulars[plural] ?? plural.replace(/s$/, '');
  return [singular, ...group].join('.');
}

const singulars: Readonly<Record<string, string>> = {
  endpoints: 'endpoints',
  ingresses: 'ingress',
  ingressclasses: 'ingressclass',
  networkpolicies: 'networkpolicy',
  priorityclasses: 'priorityclass',
  storageclasses: 'storageclass',
};

await kubectlTests('read', checks, createSamples);
