import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram, type Ended } from './program.ts';
import { root } from './project-files.ts';

type Manifest = {
  readonly apiVersion: string;
  readonly spec: object;
  readonly kind: string;
  readonly metadata: { readonly name: string };
};

type Shop = {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly strategy?: object;
  readonly spec?: object;
  readonly pod?: object;
};

/** A workload whose pods have the label `app: shop`. */
export const shop = ({
  kind = 'GameDeployment',
  name = 'shop',
  strategy = {},
  spec = {},
  pod = {},
}: Shop): Manifest => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind,
  metadata: { name },
  spec: {
    replicas: 5,
    selector: { matchLabels: { app: 'shop' } },
    updateStrategy: { type: 'RollingUpdate', ...strategy },
    template: {
      metadata: { labels: { app: 'shop' } },
      spec: { containers: [{ name: 'shop', image: 'shop:1' }], ...pod },
    },
    ...spec,
  },
});

/** A PodDisruptionBudget of pods with the label `app: shop`. */
export const budgetOfShop = (minAvailable: number): Manifest => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'shop' },
  spec: { minAvailable, selector: { matchLabels: { app: 'shop' } } },
});

/** A HookTemplate; its calls need `--hook`, or are assumed to pass. */
export const hookOf = (name: string, metric: object = {}): Manifest => ({
  apiVersion: 'tkex.tencent.com/v1alpha1',
  kind: 'HookTemplate',
  metadata: { name },
  spec: {
    metrics: [
      {
        name: 'age',
        count: 1,
        successCondition: 'asInt(result) < 30',
        provider: { web: { url: 'http://127.0.0.1:9/age', jsonPath: '{$.age}' } },
        ...metric,
      },
    ],
  },
});

/** Runs `boathook rehearse` in a folder. */
export const rehearse = (
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => runProgram(join(root, 'boathook'), ['rehearse', ...args], { cwd: folder, env });

/** Writes manifests to a folder and rehearses a change of the image, or the one that is given. */
export function rehearseObjects(
  folder: string,
  objects: readonly object[],
  args: readonly string[],
): Promise<Ended> {
  writeFileSync(
    join(folder, 'shop.json'),
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
  );
  const change = args.includes('--change') ? [] : ['--change', 'image=shop:2'];
  return rehearse(folder, ['-f', 'shop.json', '--profile', 'fast', ...change, ...args]);
}
