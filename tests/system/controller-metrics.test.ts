import { expect, test, vi } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { launchBoathook, runBoathook, startBoathook } from '../support/boathook.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';
import { startReconcileHook } from '../support/reconcile-hook.ts';

const textAt = async (url: string): Promise<{ readonly status: number; readonly text: string }> => {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
};

/** Of a machine that is busy with something else. */
const slow = { timeout: 120_000 };

const template = `
apiVersion: tkex.tencent.com/v1alpha1
kind: HookTemplate
metadata: { name: counted }
spec:
  metrics: [{ name: m, count: 1, successCondition: 'result == "1"', provider: { web: { url: 'http://127.0.0.1:1' } } }]
`;

test('a controller tells Prometheus what it does, and the kubelet whether it is at work', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  await using controller = launchBoathook([
    'controller',
    '--kubeconfig',
    server.kubeconfig,
    '--metrics-address',
    '127.0.0.1:0',
  ]);
  const [, url = ''] = /metrics at (\S+)\/metrics/.exec(await controller.lineLike(/^metrics at/)) ?? [];
  await controller.lineLike(/^running hookrun/);
  expect(await textAt(`${url}/healthz`)).toEqual({ status: 200, text: 'ok' });
  expect(await textAt(`${url}/readyz`)).toEqual({ status: 200, text: 'ok' });
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  const kubectl = openTerminal(newest, server, 'default');
  await kubectl.run(['apply', '-f', '-'], { stdin: template });
  await kubectl.run(['wait', '--for=condition=Valid', 'hooktemplate/counted', '--timeout=300s']);
  // Counted when the look ends, which is after its last write.
  const text = await vi.waitFor(async () => {
    const said = (await textAt(`${url}/metrics`)).text;
    expect(said).toMatch(
      /^boathook_reconciliations_total\{controller="hooktemplate",outcome="done"\} [1-9]/m,
    );
    return said;
  }, slow);
  expect(text).toMatch(/^boathook_leader 1$/m);
  expect(text).toMatch(/^boathook_api_requests_total\{method="GET",code="200"\} [1-9]/m);
  expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
  expect((await textAt(`${url}/else`)).status).toBe(404);
});

test('boathook up tells the same of its own controllers, when it is asked to', async () => {
  await using hook = await startReconcileHook();
  await using server = await startBoathook({ flags: ['--metrics-address', '0'] });
  const [, url = ''] = /metrics at (\S+)\/metrics/.exec(server.said.join('\n')) ?? [];
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await textAt(`${url}/readyz`)).toEqual({ status: 200, text: 'ok' });
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  const kubectl = openTerminal(newest, server, 'default');
  const apply = (stdin: string) => kubectl.run(['apply', '-f', '-'], { stdin });
  await apply(template);
  await apply(JSON.stringify(definition()));
  await apply(JSON.stringify(registration({ hook: hookAt(hook.url) })));
  await kubectl.run(['wait', '--for=condition=Ready', 'crdregistration/kuard', '--timeout=300s']);
  await apply(JSON.stringify(kuard()));
  await vi.waitFor(async () => {
    const { text } = await textAt(`${url}/metrics`);
    for (const series of [
      /^boathook_reconciliations_total\{controller="hooktemplate",outcome="done"\} [1-9]/m,
      /^boathook_reconcile_hook_calls_total\{registration="kuard",phase="pre-reconcile",outcome="success"\} [1-9]/m,
      /^boathook_reconcile_hook_duration_seconds_count\{registration="kuard",phase="post-reconcile"\} [1-9]/m,
      /^boathook_reconcile_hook_calls_in_flight\{registration="kuard"\} \d/m,
      /^boathook_registration_reconciliations_total\{registration="kuard",outcome="done"\} [1-9]/m,
      /^boathook_api_requests_total\{method="PATCH",code="201"\} [1-9]/m,
      /^process_resident_memory_bytes [1-9]/m,
    ])
      expect(text).toMatch(series);
  }, slow);
  // The port is taken now, and nothing is left running behind the refusal.
  const other = ['--ephemeral', '--port', '0', '--data-dir', `${server.dataDir}-2`];
  const taken = await runBoathook(['up', ...other, '--metrics-address', new URL(url).port]);
  expect(taken).toMatchObject({
    code: 2,
    error: expect.stringMatching(/--metrics-address: another process listens/),
  });
  const { code } = await server.stop();
  expect(code).toBe(0);
});

test('boathook up serves no metrics unless --metrics-address is given', async () => {
  await using server = await startBoathook({ flags: ['--ephemeral'] });
  expect(server.said.join('\n')).not.toContain('metrics');
});

test.for([
  ['controller', 'nonsense', /is no HOST:PORT/],
  ['controller', '127.0.0.1:70000', /is no HOST:PORT/],
  ['up', 'nonsense', /is no HOST:PORT/],
  ['up', '192.0.2.1:9090', /--metrics-address 192\.0\.2\.1:9090 cannot be listened on/],
] as const)('%s: an address such as "%s" is refused', async ([command, address, says]) => {
  using folder = tempDir();
  const where = command === 'up' ? ['--data-dir', folder.path, '--port', '0'] : ['--kubeconfig', '/nowhere'];
  const { code, error } = await runBoathook([command, ...where, '--metrics-address', address]);
  expect(code).toBe(2);
  expect(error).toMatch(says);
});
