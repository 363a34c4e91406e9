import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { clusterFlagsIn, namespacedOptions, whichCluster } from './cluster-options.ts';
import { openCluster } from './open-cluster.ts';

const parsed = (add: (command: Command) => Command, ...args: readonly string[]): object =>
  clusterFlagsIn(add(new Command('x').exitOverride()).parse(args, { from: 'user' }).opts());

const none = { kubeconfig: undefined, context: undefined, as: undefined, asGroup: undefined };

test('the flags of a command that acts as a person', () => {
  expect(parsed(namespacedOptions)).toEqual(none);
  const groups = ['--as-group', 'a', '--as-group=b'];
  expect(parsed(namespacedOptions, '--kubeconfig', 'k', '--context', 'c', '--as', 'eve', ...groups)).toEqual({
    kubeconfig: 'k',
    context: 'c',
    as: 'eve',
    asGroup: ['a', 'b'],
  });
  expect(parsed(namespacedOptions, '--kubeconfig=')).toEqual({ ...none, kubeconfig: '' });
  expect(parsed(whichCluster, '--context', 'c')).toEqual({ ...none, context: 'c' });
});

function kubeconfig(): string {
  const folder = tempDir();
  onTestFinished(() => folder[Symbol.dispose]());
  const path = join(folder.path, 'config');
  const context = (name: string): object => ({
    name,
    context: { cluster: name, user: 'u', namespace: name },
  });
  const cluster = (name: string): object => ({ name, cluster: { server: `http://${name}.invalid` } });
  writeFileSync(
    path,
    JSON.stringify({
      'current-context': 'one',
      contexts: [context('one'), context('two')],
      clusters: [cluster('one'), cluster('two')],
      users: [{ name: 'u', user: {} }],
    }),
  );
  return path;
}

test('--context names the cluster and the namespace', async () => {
  const path = kubeconfig();
  const named = openCluster({ kubeconfig: path, context: 'two' }, 'x');
  expect([named.server, named.namespace]).toEqual(['http://two.invalid', 'two']);
  const current = openCluster({ kubeconfig: path }, 'x');
  expect([current.server, current.namespace]).toEqual(['http://one.invalid', 'one']);
  await Promise.all([named.close(), current.close()]);
});

test.for([
  ['an unknown context', { context: 'three' }, 'no context "three"'],
  ['an empty context', { context: '' }, '--context is empty'],
  ['an empty user', { as: '' }, '--as is empty'],
  ['a group without a user', { asGroup: ['a'] }, '--as-group needs --as'],
  ['an empty group', { as: 'eve', asGroup: [''] }, '--as-group is empty'],
] as const)('%s ends the command with 2', ([, flags, says]) => {
  const open = (): unknown => openCluster({ kubeconfig: kubeconfig(), ...flags }, 'x');
  expect(open).toThrow(
    expect.objectContaining({ code: 2, message: expect.stringContaining(says) as string }),
  );
});
