import { expect } from 'vitest';
import { kubectlTests, type Bench, type Check } from '../support/kubectl-checks.ts';

/** A definition of its own for each check: they are not in a namespace. */
function definition({ namespace }: Bench): Readonly<Record<'group' | 'crd' | 'name', string>> {
  const group = `${namespace}.example.com`;
  const name = `lanterns.${group}`;
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        plural: 'lanterns',
        singular: 'lantern',
        kind: 'Lantern',
        shortNames: [`lt${namespace}`],
        categories: [`lights${namespace}`],
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.wicks', statusReplicasPath: '.status.lit' },
          },
          additionalPrinterColumns: [
            { name: 'Colour', type: 'string', jsonPath: '.spec.colour' },
            { name: 'Wicks', type: 'integer', jsonPath: '.spec.wicks' },
            { name: 'Lit', type: 'integer', jsonPath: '.status.lit', priority: 1 },
          ],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  required: ['colour'],
                  properties: {
                    colour: { type: 'string', enum: ['red', 'green'], description: 'What ships see.' },
                    wicks: { type: 'integer', minimum: 0, default: 1 },
                  },
                },
                status: { type: 'object', properties: { lit: { type: 'integer' } } },
              },
            },
          },
        },
      ],
    },
  };
  return { group, name, crd: JSON.stringify(crd) };
}

const lantern = (group: string, spec: object): string =>
  JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Lantern', metadata: { name: 'pier' }, spec });

const apply = ({ kubectl }: Bench, stdin: string): Promise<string> =>
  kubectl.run(['apply', '--validate=false', '-f', '-'], { stdin });

/** Defines the kind, makes one, and gives its long name. */
async function light(bench: Bench): Promise<string> {
  const { crd, group, name } = definition(bench);
  await apply(bench, crd);
  await apply(bench, lantern(group, { colour: 'green' }));
  return name;
}

const checks: readonly Check[] = [
  {
    name: 'a definition is followed at once by an object of the kind',
    async act(bench) {
      const { crd, group, name } = definition(bench);
      expect(await apply(bench, crd)).toBe(`customresourcedefinition.apiextensions.k8s.io/${name} created\n`);
      expect(await apply(bench, lantern(group, { colour: 'green' }))).toBe(`lantern.${group}/pier created\n`);
    },
  },
  {
    name: 'wait --for=condition=Established returns',
    async act(bench) {
      const { crd, name } = definition(bench);
      await apply(bench, crd);
      const out = await bench.kubectl.run([
        'wait',
        '--for=condition=Established',
        `crd/${name}`,
        '--timeout=300s',
      ]);
      expect(out).toBe(`customresourcedefinition.apiextensions.k8s.io/${name} condition met\n`);
    },
  },
  {
    name: 'get prints the columns of the definition',
    async act(bench) {
      const name = await light(bench);
      const [header, row] = (await bench.kubectl.run(['get', name])).split('\n');
      expect(header?.split(/\s+/).filter(Boolean)).toEqual(['NAME', 'COLOUR', 'WICKS']);
      expect(row?.split(/\s+/).filter(Boolean)).toEqual(['pier', 'green', '1']);
      const wide = await bench.kubectl.run(['get', name, '--output', 'wide']);
      expect(wide.split('\n')[0]).toMatch(/^NAME\s+COLOUR\s+WICKS\s+LIT\s*$/);
    },
  },
  {
    name: 'get understands the short name and the category of the definition',
    async act(bench) {
      await light(bench);
      const { kubectl, namespace } = bench;
      const wanted = `lantern.${definition(bench).group}/pier\n`;
      expect(await kubectl.run(['get', `lt${namespace}`, '--output', 'name'])).toBe(wanted);
      expect(await kubectl.run(['get', `lights${namespace}`, '--output', 'name'])).toBe(wanted);
    },
  },
  {
    name: 'apply of an object that breaks the schema names the field',
    async act(bench) {
      const { crd, group } = definition(bench);
      await apply(bench, crd);
      const stdin = lantern(group, { colour: 'blue' });
      const { code, error } = await bench.kubectl.attempt(['apply', '--validate=false', '-f', '-'], {
        stdin,
      });
      expect(code).toBe(1);
      expect(error).toContain('spec.colour: Unsupported value: "blue": supported values: "red", "green"');
    },
  },
  {
    name: 'apply changes a custom object by merge',
    async act(bench) {
      const name = await light(bench);
      const { group } = definition(bench);
      expect(await apply(bench, lantern(group, { colour: 'red', wicks: 2 }))).toBe(
        `lantern.${group}/pier configured\n`,
      );
      const read = await bench.kubectl.json<{ spec: object; metadata: object }>(['get', name, 'pier']);
      expect(read.spec).toEqual({ colour: 'red', wicks: 2 });
      expect(read.metadata).toMatchObject({ generation: 2 });
    },
  },
  {
    name: 'scale changes the replicas of a custom resource',
    async act(bench) {
      const name = await light(bench);
      const out = await bench.kubectl.run(['scale', name, 'pier', '--replicas=5']);
      expect(out).toBe(`lantern.${definition(bench).group}/pier scaled\n`);
      const wicks = await bench.kubectl.run(['get', name, 'pier', '--output', 'jsonpath={.spec.wicks}']);
      expect(wicks).toBe('5');
    },
  },
  {
    name: 'patch --subresource=status reaches the status of a custom resource',
    slow: true,
    async act(bench) {
      const name = await light(bench);
      const patch = '{"spec":{"colour":"red"},"status":{"lit":3}}';
      await bench.kubectl.run(['patch', name, 'pier', '--type=merge', '--subresource=status', '-p', patch]);
      const read = await bench.kubectl.json<object>(['get', name, 'pier']);
      expect(read).toMatchObject({ spec: { colour: 'green' }, status: { lit: 3 } });
    },
  },
  {
    name: 'get --watch follows custom objects',
    async act(bench) {
      const name = await light(bench);
      const { kubectl } = bench;
      const path = 'jsonpath={.spec.colour}{"\\n"}';
      await using watching = await kubectl.watching(['get', name, '--watch', '--output', path]);
      expect(await watching.line()).toBe('green');
      await kubectl.run(['patch', name, 'pier', '--type=merge', '-p', '{"spec":{"colour":"red"}}']);
      expect(await watching.line()).toBe('red');
    },
  },
  {
    name: 'api-resources shows the new kind',
    async act(bench) {
      await light(bench);
      const { group } = definition(bench);
      const out = await bench.kubectl.run(['api-resources', '--api-group', group, '--no-headers']);
      expect(out.trim().split(/\s+/)).toEqual([
        'lanterns',
        `lt${bench.namespace}`,
        `${group}/v1`,
        'true',
        'Lantern',
      ]);
    },
  },
  {
    name: 'delete of a definition takes its objects along',
    async act(bench) {
      const name = await light(bench);
      const { kubectl } = bench;
      await kubectl.run(['delete', 'crd', name, '--timeout=300s']);
      expect((await kubectl.attempt(['get', name])).error).toMatch(/the server doesn't have a resource type/);
      await apply(bench, definition(bench).crd);
      await kubectl.run(['wait', '--for=condition=Established', `crd/${name}`, '--timeout=300s']);
      expect(await kubectl.run(['get', name, '--output', 'name'])).toBe('');
    },
  },
];

await kubectlTests('kinds', checks);
