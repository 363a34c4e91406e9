import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { runBoathook, startBoathook } from '../support/boathook.ts';
import { clusterOf } from '../support/machine-objects-world.ts';
import { runProgram } from '../support/program.ts';

const definitions = ['clusters.platform.tkestack.io', 'machines.platform.tkestack.io'] as const;

test('without the definitions every command on objects names them and how to install them', async () => {
  using folder = tempDir();
  const file = join(folder.path, 'c.json');
  writeFileSync(file, JSON.stringify(clusterOf('cls-1', ['192.0.2.1'], {})));
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  const { kubeconfig } = server;
  const refusals = async (args: readonly string[]): Promise<unknown> => {
    const { code, error } = await runBoathook(['cluster', ...args, '--kubeconfig', kubeconfig]);
    return { code, error };
  };
  const remove = async (definition: string): Promise<void> => {
    const ended = await runProgram('kubectl', ['--kubeconfig', kubeconfig, 'delete', 'crd', definition]);
    expect(ended.code, ended.error).toBe(0);
  };
  const missing = (names: string): unknown => ({
    code: 1,
    error: `boathook: the cluster has no CustomResourceDefinition ${names}: install it with boathook crds | kubectl apply -f -\n`,
  });
  await remove(definitions[1]);
  for (const verb of ['status', 'logs', 'retry'])
    expect(await refusals([verb, 'a'])).toEqual(missing(definitions[1]));
  await remove(definitions[0]);
  for (const args of [
    ['status', 'a'],
    ['logs', 'a'],
    ['retry', 'a'],
    ['create', '-f', file],
  ])
    expect(await refusals(args)).toEqual(missing(definitions.join(', ')));
});
