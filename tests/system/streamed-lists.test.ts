import { expect, test } from 'vitest';
import { launchBoathook, startBoathook } from '../support/boathook.ts';
import { openFaultyGateway, type Fault } from '../support/faulty-gateway.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';

const template = `
apiVersion: tkex.tencent.com/v1alpha1
kind: HookTemplate
metadata: { name: seen }
spec:
  metrics: [{ name: m, count: 1, successCondition: 'result == "1"', provider: { web: { url: 'http://127.0.0.1:1' } } }]
`;

const isStream = (path: string): boolean => path.includes('sendInitialEvents=true');
const isList = (path: string): boolean => /\/hooktemplates\?(?!.*watch=)/.test(path);

/** Servers with streams of objects, and without: before 1.27 the option is not known, and it can be switched off. */
test.for<{ readonly name: string; readonly fault: (path: string) => Fault; readonly streams: boolean }>([
  { name: 'with streams of objects', fault: () => undefined, streams: true },
  {
    name: 'that refuses them',
    fault: (path) => (isStream(path) ? { status: 422 } : undefined),
    streams: false,
  },
  {
    name: 'that fails on them',
    fault: (path) => (isStream(path) ? { status: 500 } : undefined),
    streams: false,
  },
])('a controller works on a server $name', async ({ fault, streams }) => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  await using gateway = await openFaultyGateway(server);
  const asked: string[] = [];
  gateway.fault = (method, path) => {
    if (method === 'GET' && path.includes('/hooktemplates')) asked.push(path);
    return fault(path);
  };
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  const kubectl = openTerminal(newest, server, 'default');
  await kubectl.run(['apply', '-f', '-'], { stdin: template });
  await using controller = launchBoathook(['controller', '--kubeconfig', gateway.kubeconfig]);
  await controller.lineLike(/^running hookrun/);
  await kubectl.run(['wait', '--for=condition=Valid', 'hooktemplate/seen', '--timeout=300s']);
  expect(isStream(asked[0] ?? '')).toBe(true);
  expect(asked.some(isList)).toBe(!streams);
  // What happens later comes by the same watch, or by the one after the list.
  await kubectl.run(['apply', '-f', '-'], { stdin: template.replace('name: seen', 'name: later') });
  await kubectl.run(['wait', '--for=condition=Valid', 'hooktemplate/later', '--timeout=300s']);
});
