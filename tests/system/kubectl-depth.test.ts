import { expect } from 'vitest';
import { kubectlTests, type Bench, type Check } from '../support/kubectl-checks.ts';

const configMap = (data: Record<string, string>): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data });

type Managed = { readonly manager: string; readonly operation: string };

const managers = async ({ kubectl }: Bench): Promise<readonly string[]> => {
  const found = (await kubectl.json([
    'get',
    'configmap',
    'one',
    '--show-managed-fields',
    '--output',
    'json',
  ])) as {
    metadata: { managedFields: Managed[] };
  };
  return found.metadata.managedFields.map(({ manager, operation }) => `${manager} ${operation}`).sort();
};

const plural = ({ namespace }: Bench): string => `beacons${namespace.replaceAll('-', '')}`;

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
              required: ['spec'],
              properties: {
                spec: {
                  type: 'object',
                  required: ['height'],
                  properties: {
                    height: { type: 'integer', minimum: 1 },
                    colour: { type: 'string', enum: ['red', 'green'] },
                    name: { type: 'string', maxLength: 5 },
                    pattern: { type: 'string', pattern: '^(long|short)+$' },
                    lamps: { type: 'array', maxItems: 2, items: { type: 'string' } },
                  },
                  'x-kubernetes-validations': [
                    { rule: 'self.height >= oldSelf.height', message: 'a beacon does not shrink' },
                  ],
                },
              },
            },
          },
        },
      ],
    },
  });

const beacon = (bench: Bench, spec: object): string =>
  JSON.stringify({
    apiVersion: 'example.com/v1',
    kind: `B${plural(bench)}`,
    metadata: { name: 'one' },
    spec,
  });

const checks: readonly Check[] = [
  {
    name: 'apply --server-side refuses a field of another manager, and --force-conflicts takes it',
    async act({ kubectl }) {
      const mine = ['apply', '--server-side', '--field-manager=mine', '-f', '-'];
      const yours = ['apply', '--server-side', '--field-manager=yours', '-f', '-'];
      await kubectl.run(mine, { stdin: configMap({ tide: 'low' }) });
      await kubectl.refused(yours, /conflict with "mine": \.data\.tide/, {
        stdin: configMap({ tide: 'high' }),
      });
      await kubectl.run([...yours, '--force-conflicts'], { stdin: configMap({ tide: 'high' }) });
      const tide = await kubectl.run(['get', 'configmap', 'one', '--output', 'jsonpath={.data.tide}']);
      expect(tide).toBe('high');
    },
  },
  {
    name: 'apply --server-side drops what was left out of the next configuration',
    async act({ kubectl }) {
      const args = ['apply', '--server-side', '-f', '-'];
      await kubectl.run(args, { stdin: configMap({ tide: 'low', moon: 'full' }) });
      await kubectl.run(args, { stdin: configMap({ tide: 'low' }) });
      const data = await kubectl.run(['get', 'configmap', 'one', '--output', 'jsonpath={.data}']);
      expect(JSON.parse(data)).toEqual({ tide: 'low' });
    },
  },
  {
    name: 'what was applied by the client moves to the server, and is pruned there',
    async act(bench) {
      const { kubectl } = bench;
      await kubectl.run(['apply', '-f', '-'], { stdin: configMap({ tide: 'low', moon: 'full' }) });
      await kubectl.run(['apply', '--server-side', '-f', '-'], {
        stdin: configMap({ tide: 'low', moon: 'full' }),
      });
      await kubectl.run(['apply', '--server-side', '-f', '-'], { stdin: configMap({ tide: 'low' }) });
      const data = await kubectl.run(['get', 'configmap', 'one', '--output', 'jsonpath={.data}']);
      expect(JSON.parse(data)).toEqual({ tide: 'low' });
      expect(await managers(bench)).toContain('kubectl Apply');
      expect(await managers(bench)).not.toContain('kubectl-client-side-apply Update');
    },
  },
  {
    name: 'set resources changes the pod template',
    async act({ kubectl }) {
      await kubectl.run(['create', 'deployment', 'web', '--image=example.com/c']);
      await kubectl.run(['set', 'resources', 'deployment', 'web', '--limits=cpu=1500m,memory=1Gi']);
      const path = 'jsonpath={.spec.template.spec.containers[0].resources.limits}';
      const limits = await kubectl.run(['get', 'deployment', 'web', '--output', path]);
      expect(JSON.parse(limits)).toEqual({ cpu: '1500m', memory: '1Gi' });
    },
  },
  {
    name: 'an object that breaks its schema in five ways is refused with all five',
    async act(bench) {
      const { kubectl } = bench;
      await kubectl.run(['create', '--validate=false', '-f', '-'], { stdin: definition(bench) });
      await kubectl.run(['wait', '--for=condition=Established', `crd/${plural(bench)}.example.com`]);
      const bad = {
        height: 0,
        colour: 'blue',
        name: 'lighthouse',
        pattern: 'middle',
        lamps: ['a', 'b', 'c'],
      };
      const args = ['create', '--validate=false', '-f', '-'];
      const refused = await kubectl.attempt(args, { stdin: beacon(bench, bad) });
      for (const field of ['spec.height', 'spec.colour', 'spec.name', 'spec.pattern', 'spec.lamps']) {
        expect(refused.error).toContain(`${field}:`);
      }
      await kubectl.refused(['get', `${plural(bench)}.example.com`, 'one'], /NotFound/);
    },
  },
  {
    name: 'a CEL rule refuses a change and lets another pass',
    async act(bench) {
      const { kubectl } = bench;
      await kubectl.run(['create', '--validate=false', '-f', '-'], { stdin: definition(bench) });
      await kubectl.run(['wait', '--for=condition=Established', `crd/${plural(bench)}.example.com`]);
      await kubectl.run(['create', '--validate=false', '-f', '-'], { stdin: beacon(bench, { height: 5 }) });
      const patch = (height: number): readonly string[] => [
        'patch',
        `${plural(bench)}.example.com`,
        'one',
        '--type=merge',
        '--patch',
        JSON.stringify({ spec: { height } }),
      ];
      await kubectl.refused(patch(3), /a beacon does not shrink/);
      expect(await kubectl.run(patch(9))).toMatch(/patched/);
    },
  },
];

await kubectlTests('depth', checks);
