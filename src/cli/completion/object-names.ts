import { homedir } from 'node:os';
import { openCluster, type ClusterFlags } from '#command/open-cluster.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { kubeconfigPaths, mergeKubeconfigs } from '#edge/kube/kubeconfig-files.ts';
import { nameOf } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { namedResources, type ObjectSource } from './named-resources.ts';

export type NameSource = ObjectSource | 'contexts';

export type NamesWanted = {
  readonly source: NameSource;
  readonly text: string;
  readonly flags: ClusterFlags;
  /** That of the context unless given. */
  readonly namespace: string | undefined;
};

export type ReadingTime = {
  /** Whether names that are still to be read are left out. */
  readonly isEnough: () => boolean;
  readonly signal: AbortSignal;
};

/** The names that begin with the text, as many as there is time for. */
export async function objectNames(wanted: NamesWanted, time: ReadingTime): Promise<readonly string[]> {
  const { source, text, flags } = wanted;
  if (source === 'contexts') return contextsIn(flags).filter((name) => name.startsWith(text));
  const cluster = openCluster(flags, 'boathook-completion');
  const namespace = wanted.namespace ?? cluster.namespace;
  const found = await Promise.all(
    namedResources(source, text).map(async ({ resource, prefix }) => {
      const names = await namesIn(cluster.client, resource, namespace, time);
      return names.map((name) => `${prefix}${name}`);
    }),
  );
  return found.flat().filter((name) => name.startsWith(text));
}

function contextsIn({ kubeconfig }: ClusterFlags): readonly string[] {
  const paths =
    kubeconfig === undefined ? kubeconfigPaths(process.env['KUBECONFIG'], homedir()) : [kubeconfig];
  return [...(mergeKubeconfigs(paths)?.contexts.keys() ?? [])].toSorted();
}

async function namesIn(
  client: KubeClient,
  resource: Resource,
  namespace: string,
  { isEnough, signal }: ReadingTime,
): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const page of client.pages(resource, { namespace, content: 'metadata' }, signal)) {
      if (page.type !== 'page') break;
      names.push(...page.items.map(nameOf));
      if (isEnough()) break;
    }
    return names;
  } catch {
    // No cluster, or no time left: the names so far are all that can be suggested.
    return names;
  }
}
