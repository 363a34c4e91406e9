import { expect, test } from 'vitest';
import { startBoathook } from '../support/boathook.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';

/** Access is judged by the server, so one kubectl is enough. */
test('under RBAC, roles decide what a user may do, and can-i agrees', async () => {
  await using server = await startBoathook({ flags: ['--authorization', 'rbac'] });
  const kubectl = (await findKubectls()).at(-1);
  if (kubectl === undefined) throw new Error('no kubectl was found');
  const terminal = openTerminal(kubectl, server, 'default');
  const canI = async (...args: readonly string[]): Promise<string> =>
    (await terminal.attempt(['auth', 'can-i', ...args])).out.trim();

  expect(await canI('create', 'pods')).toBe('yes');
  expect(await canI('get', 'configmaps', '--as=ada')).toBe('no');
  await terminal.refused(['get', 'configmaps', '--as=ada'], /User "ada" cannot list resource "configmaps"/);

  await terminal.run(['create', 'role', 'reader', '--verb=get,list', '--resource=configmaps']);
  await terminal.run(['create', 'rolebinding', 'ada-reads', '--role=reader', '--user=ada']);
  expect(await canI('get', 'configmaps', '--as=ada')).toBe('yes');
  expect(await canI('delete', 'configmaps', '--as=ada')).toBe('no');
  expect(await terminal.run(['get', 'configmaps', '--as=ada', '--output', 'name'])).toContain(
    'kube-root-ca.crt',
  );
  await terminal.refused(['delete', 'configmap', 'kube-root-ca.crt', '--as=ada'], /cannot delete resource/);

  await terminal.run(['create', 'clusterrolebinding', 'crew-views', '--clusterrole=view', '--group=crew']);
  expect(await canI('list', 'pods', '--as=bob', '--as-group=crew', '--all-namespaces')).toBe('yes');
  expect(await canI('list', 'secrets', '--as=bob', '--as-group=crew')).toBe('no');

  const escalate = [
    'create',
    'clusterrolebinding',
    'all',
    '--clusterrole=cluster-admin',
    '--user=ada',
    '--as=ada',
  ];
  await terminal.refused(escalate, /cannot create resource "clusterrolebindings"/);
});

test('a token of a service account is that account', async () => {
  await using server = await startBoathook({ flags: ['--authorization', 'rbac'] });
  const kubectl = (await findKubectls()).findLast(({ minor }) => minor >= 24);
  // Before 1.24 kubectl has no `create token`; the server's side of it is tested without kubectl as well.
  if (kubectl === undefined) return;
  const terminal = openTerminal(kubectl, server, 'default');
  await terminal.run(['create', 'serviceaccount', 'robot']);
  const token = (await terminal.run(['create', 'token', 'robot'])).trim();
  const asRobot = [
    '--token',
    token,
    '--kubeconfig',
    '/dev/null',
    '--server',
    server.url,
    '--insecure-skip-tls-verify',
  ];
  await terminal.refused(['get', 'pods', ...asRobot], /system:serviceaccount:default:robot/);
  await terminal.run([
    'create',
    'clusterrolebinding',
    'robot',
    '--clusterrole=view',
    '--serviceaccount=default:robot',
  ]);
  expect(await terminal.attempt(['get', 'pods', ...asRobot])).toMatchObject({ code: 0 });
});
