import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { startBoathook, wholeCluster, type Boathook } from '../support/boathook.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';
import { followProgram, type Following } from '../support/program.ts';
import { root } from '../support/project-files.ts';
import { failure, startReconcileHook, type ReconcileHook } from '../support/reconcile-hook.ts';

const example = (name: string): string => readFileSync(join(root, 'examples/reconcile', name), 'utf8');
/** The port 8080 of the example may be in use on this machine. */
const serviceAt = (port: number): string => example('service.yaml').replace('8080', String(port));
const child = 'kuard-my-kuard-extension';
const instance = 'kuard/my-kuard-extension';

let server: Boathook;
let kubectl: Terminal;
let hook: ReconcileHook;

beforeAll(async () => {
  hook = await startReconcileHook();
  server = await startBoathook({ flags: wholeCluster });
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  kubectl = openTerminal(newest, server, 'default');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

const apply = (stdin: string): Promise<string> => kubectl.run(['apply', '-f', '-'], { stdin });
const read = (of: string, path: string): Promise<string> =>
  kubectl.run(['get', of, '-o', `jsonpath={${path}}`]);
const until = (isSo: () => Promise<boolean> | boolean): Promise<void> =>
  expect.poll(async () => isSo()).toBe(true);

/** The Deployment without what the controllers of Kubernetes write: its status, and that they wrote it. */
async function deploymentAsApplied(): Promise<JsonObject> {
  const found = await kubectl.json<KubeObject>(['get', `deployment/${child}`, '--show-managed-fields']);
  const { resourceVersion: _version, ...metadata } = objectAt(found, 'metadata') ?? {};
  const managedFields = listAt(metadata, 'managedFields').filter(
    (each) => textAt(each, 'subresource') === undefined,
  );
  return { metadata: { ...metadata, managedFields }, spec: objectAt(found, 'spec') ?? {} };
}
const environment = (): Promise<string> =>
  read(`deployment/${child}`, '.spec.template.spec.containers[0].env[*].name');
const good = {
  envVars: [{ name: 'FROM_HOOK_VAR', value: 'x' }],
  status: { conditions: [{ type: 'KuardReady', status: 'True', reason: 'OK', message: '' }] },
};

/** The port that a hook of the examples prints. */
async function portOf(running: Following): Promise<number> {
  const [, port = ''] = /port (\d+)/.exec(await running.line()) ?? [];
  return Number(port);
}

test.for([
  {
    name: 'hook.ts',
    start: (file: string) => followProgram(process.execPath, [file], { env: { PORT: '0' } }),
  },
  { name: 'hook.py', start: (file: string) => followProgram('python3', [file], { env: { PORT: '0' } }) },
])(
  'the example runs with $name: workload, environment, patches, conditions, and back to nothing',
  async ({ name, start }) => {
    const running = start(join(root, 'examples/reconcile', name));
    try {
      await apply(serviceAt(await portOf(running)));
      await apply(example('crd.yaml'));
      await kubectl.run([
        'wait',
        '--for=condition=Established',
        'crd/kuards.extensions.triggermesh.io',
        '--timeout=300s',
      ]);
      await apply(example('registration.yaml'));
      await apply(example('instance.yaml'));
      await kubectl.run(['wait', '--for=condition=Ready', 'crdregistration/kuard', '--timeout=300s']);
      await kubectl.run(['wait', '--for=condition=KuardReady', instance, '--timeout=300s']);
      await kubectl.run(['wait', '--for=condition=Ready', instance, '--timeout=300s']);
      expect(await kubectl.run(['get', 'crdreg'])).toMatch(
        /^NAME +CRD +READY +AGE\nkuard +kuards\.extensions\.triggermesh\.io +True +\d+s\n$/,
      );
      expect(await environment()).toBe(
        'ARRAY FROM_HOOK_VAR GROUP_VARIABLE3 GROUP_VARIABLE4 VARIABLE1 VARIABLE2',
      );
      expect(
        await read(`deployment/${child}`, '.spec.template.spec.containers[0].resources.limits.cpu'),
      ).toBe('250m');
      expect(await read(`service/${child}`, '.spec.ports[0].targetPort')).toBe('8080');
      expect(await read(instance, '.status.address.url')).toBe(`http://${child}.default.svc.cluster.local`);
      expect(await read(instance, '.status.annotations.greetings')).toBe('from hook');
      const about = '--field-selector=involvedObject.name=kuard';
      await using events = kubectl.follow(['get', 'events', about, '--watch']);
      await events.lineLike(/Warning +Doubtful .*is ignored/);
      await kubectl.run(['delete', instance, '--timeout=300s']);
      await kubectl.run(['wait', '--for=delete', `deployment/${child}`, '--timeout=300s']);
      await kubectl.run(['delete', 'crdregistration', 'kuard', '--timeout=300s']);
      await kubectl.run(['delete', 'crd', 'kuards.extensions.triggermesh.io', '--timeout=300s']);
    } finally {
      await running.stop();
    }
  },
);

test('ten more reconciliations write the patched Deployment no more', async () => {
  await apply(serviceAt(hook.port));
  const cpu = {
    main: [
      { op: 'add', path: '/spec/template/spec/containers/0/resources', value: { limits: { cpu: '0.25' } } },
    ],
  };
  hook.answer = ({ phase }) => (phase === 'post-reconcile' ? { patches: [cpu] } : good);
  await apply(example('crd.yaml'));
  await kubectl.run([
    'wait',
    '--for=condition=Established',
    'crd/kuards.extensions.triggermesh.io',
    '--timeout=300s',
  ]);
  await apply(example('registration.yaml'));
  await apply(example('instance.yaml'));
  await kubectl.run(['wait', '--for=condition=Ready', instance, '--timeout=300s']);
  const applied = await deploymentAsApplied();
  for (let times = 0; times < 10; times += 1) {
    const { length } = hook.asked;
    await kubectl.run(['annotate', '--overwrite', instance, `example.com/touched=${times}`]);
    await until(() => hook.asked.length >= length + 2);
  }
  expect(await deploymentAsApplied()).toEqual(applied);
});

test('a condition of the hook votes on Ready', async () => {
  hook.answer = ({ phase }) =>
    phase === 'pre-reconcile'
      ? {
          ...good,
          status: {
            conditions: [{ type: 'KuardReady', status: 'False', reason: 'TIRED', message: 'let me sleep' }],
          },
        }
      : {};
  await kubectl.run(['patch', instance, '--type=merge', '-p', '{"spec":{"variable1":"other"}}']);
  await kubectl.run(['wait', '--for=condition=Ready=False', instance, '--timeout=300s']);
  expect(await read(instance, '.status.conditions[?(@.type=="Ready")].message')).toContain('let me sleep');
});

test('halt stops before anything is applied, with the reason', async () => {
  hook.answer = () => failure({ message: 'the quota is used up', halt: true });
  await kubectl.run(['patch', instance, '--type=merge', '-p', '{"spec":{"variable1":"halted"}}']);
  const why = 'hook of registration kuard, pre-reconcile: the quota is used up';
  await until(async () => (await kubectl.run(['describe', instance])).includes(why));
  expect(await read(instance, '.status.conditions[?(@.type=="Ready")].status')).not.toBe('True');
  const values = await read(`deployment/${child}`, '.spec.template.spec.containers[0].env[*].value');
  expect(values).not.toContain('halted');
  hook.answer = () => good;
  await until(async () =>
    (await read(`deployment/${child}`, '.spec.template.spec.containers[0].env[*].value')).includes('halted'),
  );
});

test('finalize with halt keeps the instance, and lets it go when the hook relents', async () => {
  hook.answer = ({ phase }) =>
    phase === 'finalize' ? failure({ message: 'still in use', halt: true }) : good;
  await kubectl.run(['delete', instance, '--wait=false']);
  await until(() => hook.phases().includes('finalize'));
  await until(async () => (await kubectl.run(['describe', instance])).includes('still in use'));
  expect(await read(instance, '.metadata.finalizers')).toBe('["scoby.triggermesh.io/finalizer"]');
  expect(await kubectl.run(['describe', instance])).toContain('boathook.dev/skip-finalize');
  hook.answer = () => ({});
  await kubectl.run(['wait', '--for=delete', instance, '--timeout=300s']);
  await kubectl.run(['wait', '--for=delete', `deployment/${child}`, '--timeout=300s']);
});

test.for([
  ['a hook without an address', 'uri: http://my-hook-service', 'uri: ""', /spec\.hook\.address/],
  ['an unknown capability', '- finalize', '- finalization', /capabilities/],
  ['another version', 'version: 1', 'version: 2', /spec\.hook\.version/],
  ['a port that is none', 'port: 80\n', 'port: 70000\n', /port/],
  ['a name that is no definition', 'crd: kuards.extensions.triggermesh.io', 'crd: kuards', /spec\.crd/],
] as const)('a wrong registration is refused, and the field named: %s', async ([, from, to, says]) => {
  const wrong = example('registration.yaml').replace(from, to).replace('name: kuard', 'name: wrong');
  await kubectl.refused(['apply', '-f', '-'], says, { stdin: wrong });
});
