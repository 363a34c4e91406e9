import { expect } from 'vitest';
import { KubectlFailed } from '../support/kubectl.ts';
import { kubectlTests, type Bench, type Check } from '../support/kubectl-checks.ts';

const configMap = (more: object): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, ...more });

const labels = { app: 'web' };
const deployment = (container: object): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'c', image: 'example.com/c', ...container }] },
      },
    },
  });

const apply = ({ kubectl }: Bench, stdin: string, ...flags: readonly string[]): Promise<string> =>
  kubectl.run(['apply', ...flags, '-f', '-'], { stdin });

/** A plural that no other check has: explain takes the dots of a longer name for a path. */
const plural = ({ namespace }: Bench): string => `buoys${namespace.replaceAll('-', '')}`;

const definition = (bench: Bench): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural(bench)}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: plural(bench), kind: `B${plural(bench)}` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: 'Buoy marks a channel.',
              properties: {
                spec: {
                  type: 'object',
                  properties: { colour: { type: 'string', description: 'What ships see.' } },
                },
              },
            },
          },
        },
      ],
    },
  });

const checks: readonly Check[] = [
  {
    name: 'apply creates, changes and leaves alone',
    async act(bench) {
      expect(await apply(bench, configMap({ data: { tide: 'low' } }))).toBe('configmap/one created\n');
      expect(await apply(bench, configMap({ data: { tide: 'low' } }))).toBe('configmap/one unchanged\n');
      expect(await apply(bench, configMap({ data: { tide: 'high' } }))).toBe('configmap/one configured\n');
    },
  },
  {
    name: 'apply of a deployment changes what was left out, too',
    async act(bench) {
      const env = [{ name: 'MOON', value: 'full' }];
      expect(await apply(bench, deployment({ env }))).toBe('deployment.apps/web created\n');
      expect(await apply(bench, deployment({ env }))).toBe('deployment.apps/web unchanged\n');
      expect(await apply(bench, deployment({}))).toBe('deployment.apps/web configured\n');
      const path = 'jsonpath={.spec.template.spec.containers[0].env}';
      expect(await bench.kubectl.run(['get', 'deployment', 'web', '--output', path])).toBe('');
    },
  },
  {
    name: 'apply of a field that does not exist is refused with its name',
    async act({ kubectl }) {
      const stdin = deployment({ imagee: 'example.com/d' });
      const says = /unknown field "spec\.template\.spec\.containers\[0\]\.imagee"/;
      await kubectl.refused(['apply', '-f', '-'], says, { stdin });
      await kubectl.refused(['get', 'deployment', 'web'], /NotFound/);
    },
  },
  {
    name: 'apply --validate=warn warns of a field that does not exist',
    async act({ kubectl }) {
      const stdin = configMap({ dataa: {} });
      const args = ['apply', '--validate=warn', '-f', '-'];
      const ended = await kubectl.attempt(args, { stdin });
      if (ended.code !== 0) throw new KubectlFailed(args, ended);
      expect(ended.error).toBe('Warning: unknown field "dataa"\n');
      expect(ended.out).toBe('configmap/one created\n');
    },
  },
  {
    name: 'a list is applied whole, and each of its items is checked',
    async act({ kubectl }) {
      const list = (field: string): string =>
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'List',
          items: ['one', 'two'].map((name) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name },
            [name === 'two' ? field : 'data']: { tide: 'low' },
          })),
        });
      const { error } = await kubectl.attempt(['apply', '-f', '-'], { stdin: list('dta') });
      expect(error).toMatch(/unknown field "dta"/);
      expect(await kubectl.run(['get', 'configmaps', '-o', 'name'])).not.toContain('one');
      await kubectl.run(['apply', '-f', '-'], { stdin: list('data') });
      expect(await kubectl.run(['get', 'configmaps', '-o', 'name'])).toMatch(/one\n.*two\n/);
    },
  },
  {
    name: 'create -f and replace -f are checked as well',
    async act({ kubectl }) {
      const good = { stdin: configMap({ data: { tide: 'low' } }) };
      expect(await kubectl.run(['create', '-f', '-'], good)).toBe('configmap/one created\n');
      expect(await kubectl.run(['replace', '-f', '-'], good)).toBe('configmap/one replaced\n');
      const bad = await kubectl.attempt(['replace', '-f', '-'], { stdin: configMap({ dataa: {} }) });
      expect(bad.error).toMatch(/unknown field "dataa"/);
    },
  },
  {
    name: 'apply --server-side creates, and reports who else manages a field',
    async act(bench) {
      const own = '--field-manager=harbour-master';
      const first = await apply(bench, configMap({ data: { tide: 'low' } }), '--server-side', own);
      expect(first).toBe('configmap/one serverside-applied\n');
      const args = ['apply', '--server-side', '--field-manager=pilot', '-f', '-'];
      const stdin = configMap({ data: { tide: 'high' } });
      const { code, error } = await bench.kubectl.attempt(args, { stdin });
      expect(error).toMatch(/conflict with "harbour-master".*: \.data\.tide/);
      expect(code).toBe(1);
      await bench.kubectl.run([...args, '--force-conflicts'], { stdin });
      const tide = ['get', 'configmap', 'one', '--output', 'jsonpath={.data.tide}'];
      expect(await bench.kubectl.run(tide)).toBe('high');
    },
  },
  {
    name: 'explain shows the fields of a kind',
    async act({ kubectl }) {
      const out = await kubectl.run(['explain', 'deployment.spec']);
      expect(out).toMatch(/^KIND:\s+Deployment$/m);
      expect(out).toMatch(/^ {2}replicas\s+<integer>$/m);
      expect(out).toMatch(/^ {2}template\s+<PodTemplateSpec> -required-$/m);
    },
  },
  {
    name: 'explain --recursive prints all levels',
    slow: true,
    async act({ kubectl }) {
      const out = await kubectl.run(['explain', 'pod.spec.containers', '--recursive']);
      expect(out).toMatch(/^ {4}httpGet\s+<HTTPGetAction>$/m);
      expect(out).toMatch(/^ {6}port\s+<IntOrString> -required-$/m);
    },
  },
  {
    name: 'explain of a field that does not exist fails with a message',
    slow: true,
    async act({ kubectl }) {
      await kubectl.refused(['explain', 'pod.spec.nonsense'], /field "nonsense" does not exist/);
    },
  },
  {
    name: 'explain works for a kind that was defined a moment ago',
    async act(bench) {
      await apply(bench, definition(bench));
      const name = plural(bench);
      const established = [
        'wait',
        '--for=condition=Established',
        `crd/${name}.example.com`,
        '--timeout=300s',
      ];
      await bench.kubectl.run(established);
      expect(await bench.kubectl.run(['explain', name])).toContain('Buoy marks a channel.');
      const out = await bench.kubectl.run(['explain', `${name}.spec.colour`]);
      expect(out).toMatch(/^FIELD: colour <string>$/m);
      expect(out).toContain('What ships see.');
    },
  },
  {
    name: 'apply of a custom object is checked against its definition',
    async act(bench) {
      await apply(bench, definition(bench));
      const buoy = (spec: object): string =>
        JSON.stringify({
          apiVersion: 'example.com/v1',
          kind: `B${plural(bench)}`,
          metadata: { name: 'one' },
          spec,
        });
      const { error } = await bench.kubectl.attempt(['apply', '-f', '-'], { stdin: buoy({ color: 'red' }) });
      expect(error).toMatch(/unknown field "spec\.color"/);
      expect(await apply(bench, buoy({ colour: 'red' }))).toMatch(/\/one created\n$/);
    },
  },
];

await kubectlTests('schema', checks);
