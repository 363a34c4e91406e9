import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { launchBoathook, runBoathook, startBoathook, type Boathook } from '../support/boathook.ts';
import { startHookService, type HookService } from '../support/hook-service.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';
import type { Following } from '../support/program.ts';

const terminalOf = async (server: Boathook): Promise<Terminal> => {
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  return openTerminal(newest, server, 'default');
};

const startController = (server: Boathook, ...flags: readonly string[]): Following =>
  launchBoathook([
    'controller',
    '--kubeconfig',
    server.kubeconfig,
    '--outgoing-allow',
    '127.0.0.0/8',
    ...flags,
  ]);

const run = (service: HookService, name: string, metric: object): string =>
  stringify({
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookRun',
    metadata: { name },
    spec: {
      metrics: [
        {
          name: 'age',
          successCondition: 'asInt(result) < 30',
          provider: { web: { url: `${service.url}/${name}`, jsonPath: '{$.age}' } },
          ...metric,
        },
      ],
    },
  });

type Run = {
  readonly status: {
    readonly phase: string;
    readonly metricResults: readonly {
      readonly count: number;
      readonly successful: number;
      readonly measurements: readonly { readonly plannedAt: string }[];
    }[];
  };
};

test('it continues after kill -9, again and again, and counts nothing twice', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  await using service = await startHookService({ age: 20 });
  const kubectl = await terminalOf(server);
  const metric = { count: 12, interval: '500ms' };
  await kubectl.run(['apply', '-f', '-'], { stdin: run(service, 'killed', metric) });
  for (let kills = 0; kills < 3; kills += 1) {
    const controller = startController(server, '--no-leader-election');
    await controller.lineLike(/^running hookrun/);
    await service.more(1 + kills);
    await controller.stop('SIGKILL');
  }
  await using controller = startController(server, '--no-leader-election');
  await controller.lineLike(/^running hookrun/);
  await kubectl.run(['wait', '--for=condition=Complete', 'hookrun/killed', '--timeout=300s']);
  const { status } = await kubectl.json<Run>(['get', 'hookrun', 'killed']);
  expect(status).toMatchObject({ phase: 'Successful', metricResults: [{ count: 12, successful: 12 }] });
  const planned = status.metricResults[0]?.measurements.map(({ plannedAt }) => plannedAt) ?? [];
  expect(new Set(planned).size).toBe(planned.length);
  // One call at most is lost with each process.
  expect(service.asked.length).toBeLessThanOrEqual(12 + 3);
});

test('one of two leads; when it ends, the other continues', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  await using service = await startHookService({ age: 20 });
  const kubectl = await terminalOf(server);
  const first = startController(server, '--identity', 'first');
  await first.lineLike(/^running hookrun, hooktemplate\b/);
  await using second = startController(server, '--identity', 'second');
  expect(await second.line()).toMatch(
    /^second stands for election by the Lease boathook-system\/boathook-controller/,
  );
  const holder = [
    'get',
    'lease',
    'boathook-controller',
    '--namespace',
    'boathook-system',
    '-o',
    'jsonpath={.spec.holderIdentity}',
  ];
  expect(await kubectl.run(holder)).toBe('first');
  const asked = service.more(2);
  await kubectl.run(['apply', '-f', '-'], {
    stdin: run(service, 'handed', { count: 10, interval: '400ms' }),
  });
  await asked;
  expect(await first.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  await second.lineLike(/^running hookrun/);
  expect(await kubectl.run(holder)).toBe('second');
  await kubectl.run(['wait', '--for=condition=Complete', 'hookrun/handed', '--timeout=300s']);
  const { status } = await kubectl.json<Run>(['get', 'hookrun', 'handed']);
  expect(status).toMatchObject({ phase: 'Successful', metricResults: [{ count: 10, successful: 10 }] });
});

test('for a cluster without the kinds the command prints what to apply first, and that is enough', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  const kubectl = await terminalOf(server);
  const crds = ['hookruns', 'hooktemplates'].map((plural) => `${plural}.tkex.tencent.com`);
  await kubectl.run(['delete', 'crd', ...crds]);
  const refused = await runBoathook(['controller', '--kubeconfig', server.kubeconfig]);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.error).toMatch(
    /does not know hook\w+\.tkex\.tencent\.com; run: boathook crds \| kubectl apply -f -/,
  );
  const printed = await runBoathook(['crds']);
  expect(printed.code).toBe(0);
  await kubectl.run(['apply', '--server-side', '--force-conflicts', '-f', '-'], { stdin: printed.out });
  await kubectl.run(['wait', '--for=condition=Established', 'crd', ...crds, '--timeout=300s']);
  await using controller = startController(server);
  await controller.lineLike(/^running hookrun/);
});

test.for([
  [['--controllers', 'none'], /--controllers none leaves nothing to do: choose from hookrun, hooktemplate/],
  [['--controllers', 'tea'], /--controllers names tea, which does not exist/],
  [['--outgoing-allow', '10.0.0.0/99'], /10\.0\.0\.0\/99/],
  [['--outgoing-deny', 'http://x'], /http:\/\/x/],
] as const)('bad input is named: %s', async ([flags, says]) => {
  const { code, out, error } = await runBoathook(['controller', '--kubeconfig', '/nowhere', ...flags]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(error).toMatch(says);
});
