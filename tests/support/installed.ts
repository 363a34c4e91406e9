import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { crdName } from '#schema/kind/crd.ts';
import { productKinds } from '#cli/product-kinds.ts';
import { launchBoathook, startBoathook, wholeCluster, type Boathook } from './boathook.ts';
import { findKubectls, type Kubectl } from './kubectl.ts';
import { runProgram, type Ended, type Following, type Setting } from './program.ts';

export const systemNamespace = 'boathook-system';

/** An API server with RBAC that knows none of our kinds and runs none of our controllers. */
export type FreshCluster = AsyncDisposable & {
  readonly server: Boathook;
  readonly kubectl: Kubectl;
  /** Runs kubectl as an administrator, to success. */
  readonly run: (args: readonly string[], stdin?: string) => Promise<string>;
  readonly attempt: (args: readonly string[], stdin?: string) => Promise<Ended>;
};

/** The newest kubectl; kustomize components came with 1.21. */
export const newestKubectl = async (): Promise<Kubectl> => {
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  return newest;
};

export async function freshCluster(): Promise<FreshCluster> {
  const flags = ['--controllers', 'none', '--authorization', 'rbac', ...wholeCluster, '--profile', 'instant'];
  const server = await startBoathook({ flags });
  const kubectl = await newestKubectl();
  const env = { KUBECONFIG: server.kubeconfig, HOME: server.home };
  const attempt: FreshCluster['attempt'] = (args, stdin) =>
    runProgram(kubectl.file, args, { env, ...(stdin !== undefined && { stdin }) } satisfies Setting);
  const cluster: FreshCluster = {
    server,
    kubectl,
    attempt,
    async run(args, stdin) {
      const { code, out, error } = await attempt(args, stdin);
      if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}\n${out}${error}`);
      return out;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  // The server brings our kinds along; a cluster of others does not.
  await cluster.run(['delete', 'crd', ...productKinds.map((kind) => crdName(kind))]);
  return cluster;
}

/** The objects in a text of YAML documents, by kind and name. */
export const objectsIn = (text: string): ReadonlyMap<string, KubeObject> =>
  new Map(
    parseAllDocuments(text)
      .map((document) => document.toJS() as KubeObject | null)
      .filter((object) => object !== null)
      .map((object) => [`${textAt(object, 'kind')} ${namespaceOf(object)}/${nameOf(object)}`, object]),
  );

/** Controllers as their Deployment would run them: with its arguments and its ServiceAccount. */
export type InstalledControllers = AsyncDisposable & {
  readonly process: Following;
  /** How many requests the API server has refused for want of a right. */
  forbidden(): Promise<number>;
};

export async function runInstalled(
  cluster: FreshCluster,
  more: readonly string[] = [],
): Promise<InstalledControllers> {
  const { server, run } = cluster;
  const kubeconfig = await accountKubeconfig(cluster, 'boathook-controller');
  const deployment = JSON.parse(
    await run(['get', 'deployment', 'boathook-controller', '-n', systemNamespace, '-o', 'json']),
  ) as KubeObject;
  const container = listAt(deployment, 'spec', 'template', 'spec', 'containers')[0] ?? null;
  const following = launchBoathook([
    ...argsHere(listAt(container, 'args').map(String), server.dataDir),
    '--kubeconfig',
    kubeconfig,
    ...more,
  ]);
  const [, url = ''] = /metrics at (\S+)/.exec(await following.lineLike(/^metrics at/)) ?? [];
  await following.lineLike(/^running /);
  return {
    process: following,
    forbidden: async () => {
      const text = await (await fetch(url)).text();
      const counts = [...text.matchAll(/^boathook_api_requests_total\{[^}]*code="403"\} (\d+)$/gm)];
      return counts.reduce((sum, [, count]) => sum + Number(count), 0);
    },
    [Symbol.asyncDispose]: () => following[Symbol.asyncDispose](),
  };
}

/** The same arguments on this machine: its own folder and port. */
const argsHere = (args: readonly string[], dataDir: string): readonly string[] =>
  args.map((arg) =>
    arg
      .replace('$(POD_NAMESPACE)', systemNamespace)
      .replace('0.0.0.0:9090', '127.0.0.1:0')
      .replace('$(POD_IP):7444', '127.0.0.1:0')
      .replace('=/data', `=${join(dataDir, 'controllers')}`)
      .replace('=/files', `=${dataDir}`),
  );

/** A kubeconfig that logs in with a token of a ServiceAccount of the installation, and no more. */
export async function accountKubeconfig({ server, run }: FreshCluster, account: string): Promise<string> {
  const token = await run(['create', 'token', account, '-n', systemNamespace]);
  const whole = JSON.parse(await run(['config', 'view', '--raw', '-o', 'json'])) as Json;
  const cluster = listAt(whole, 'clusters')[0] ?? null;
  const config: JsonObject = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    clusters: [{ name: 'here', cluster: objectAt(cluster, 'cluster') ?? {} }],
    users: [{ name: 'account', user: { token: token.trim() } }],
    contexts: [{ name: 'here', context: { cluster: 'here', user: 'account' } }],
  };
  const path = join(server.home, account);
  writeFileSync(path, JSON.stringify(config));
  return path;
}
