import { expect, test, vi } from 'vitest';
import { launchBoathook, runBoathook, startBoathook } from '../support/boathook.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';

const textAt = async (url: string): Promise<{ readonly status: number; readonly text: string }> => {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
};

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
  await kubectl.run(['wait', '--for=condition=Valid', 'hooktemplate/counted', '--timeout=30s']);
  // Counted when the look ends, which is after its last write.
  const text = await vi.waitFor(async () => {
    const said = (await textAt(`${url}/metrics`)).text;
    expect(said).toMatch(
      /^boathook_reconciliations_total\{controller="hooktemplate",outcome="done"\} [1-9]/m,
    );
    return said;
  });
  expect(text).toMatch(/^boathook_leader 1$/m);
  expect(text).toMatch(/^boathook_api_requests_total\{method="GET",code="200"\} [1-9]/m);
  expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
  expect((await textAt(`${url}/else`)).status).toBe(404);
});

test.for(['nonsense', '127.0.0.1:70000'])('an address such as "%s" is refused', async (address) => {
  const flags = ['--kubeconfig', '/nowhere', '--metrics-address', address];
  const { code, error } = await runBoathook(['controller', ...flags]);
  expect(code).toBe(2);
  expect(error).toMatch(/is no HOST:PORT/);
});
