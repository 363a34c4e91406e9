import type { Made } from './made.ts';
import { emptyCollection, removeForGood, removeNamespace, type SendPlain } from './own-objects.ts';
import { runLabel, type Prefix } from './prefixed.ts';
import type { TestCluster } from './test-cluster.ts';

/** Namespaces that every cluster has. */
export const usualNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

export async function makeNamespaces(send: SendPlain, { text, run }: Prefix): Promise<void> {
  for (const name of usualNamespaces) {
    const metadata = { name: text + name, labels: { [runLabel]: run } };
    const { status, body } = await send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata,
    });
    if (status !== 201)
      throw new Error(`the namespace ${text}${name} cannot be made: ${JSON.stringify(body)}`);
  }
}

/** Removes all that a story has made. */
export type Removal = { readonly prefix: Prefix; readonly made: Made; readonly cluster: TestCluster };

export async function removeMade(send: SendPlain, { prefix, made, cluster }: Removal): Promise<void> {
  const paths = [...made.objects];
  const spaces = paths.filter(isNamespace).map((path) => prefix.text + path.slice(namespacesPath.length));
  for (const { base, plural, namespace } of made.collections.values())
    await emptyCollection(send, `${base}/namespaces/${prefix.text}${namespace}/${plural}`);
  for (const path of paths.filter((each) => !isNamespace(each)).toReversed())
    await removeForGood(send, path.replace(nodesPath, `${nodesPath}${prefix.text}`));
  for (const space of spaces) await removeNamespace(send, space, cluster.hasControllers);
}

const nodesPath = '/api/v1/nodes/';
const namespacesPath = '/api/v1/namespaces/';
const isNamespace = (path: string): boolean => path.startsWith(namespacesPath);
