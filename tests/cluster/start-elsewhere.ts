import { seededRandom } from '#base/random.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import { systemTasks } from '#edge/tasks.ts';
import { controllerNames } from '#embedded/controllers/start.ts';
import { startControlPlane, type ControlPlane, type Embedded } from '#embedded/start.ts';
import { resourceOf } from '#hooks/kinds/resources.ts';
import type { Serve } from '#kube/http.ts';
import type { Resource } from '#kube/resource.ts';
import { pods, revisions } from '#loop/owned/resources.ts';
import type { ServerParts, TestServerCore } from '../support/test-server.ts';
import { connectionTo } from './cluster-connection.ts';
import { Mirror } from './mirror.ts';
import { plainRequests } from './own-objects.ts';
import { serveElsewhere } from './serve-elsewhere.ts';
import { makeNamespaces, removeMade, usualNamespaces } from './story-namespaces.ts';
import { storyPrefix } from './story-prefix.ts';
import type { TestCluster } from './test-cluster.ts';
import { untilDefinitionsRest } from './until-served.ts';

const admin = { user: 'admin', groups: ['system:masters'] };

/** What stories have left for a later server on the same journal; removed when the test has ended. */
const left: (() => Promise<void>)[] = [];
const open = new Set<() => Promise<void>>();

export async function removeLeft(): Promise<void> {
  for (const remove of left.splice(0)) await remove();
}

/** What closes those servers that are open now. */
export const openNow = (): ReadonlySet<() => Promise<void>> => new Set(open);

/** A server for a story on the cluster of the run: its namespaces are its own, and so are its controllers and nodes. */
export async function startElsewhere(parts: ServerParts, cluster: TestCluster): Promise<TestServerCore> {
  const { authorization = 'allow', tokens = [], journal, clock } = parts;
  if (parts.history !== undefined || parts.eventTtl !== undefined)
    throw new Error('only the embedded server in this process has a history that a story can choose');
  const connection = connectionTo(cluster.kubeconfig);
  const send = plainRequests(connection.own.transport);
  const { prefix, isNew } = storyPrefix(cluster, journal);
  const end = new AbortController();
  const ended = end.signal;
  const { serve, made } = serveElsewhere({ connection, prefix, clock, authorization, tokens, ended });
  if (isNew) await makeNamespaces(send, prefix);
  for (const name of usualNamespaces) made.objects.add(`/api/v1/namespaces/${name}`);
  const mirror = new Mirror(inProcessTransport(serve, admin), clock);
  await mirror.start(parts.mirrored === true ? mirrored(parts) : []);
  const plane = await startPlane(parts, cluster, serve);
  const close = async (): Promise<void> => {
    if (!open.delete(close)) return;
    await plane.close();
    await mirror.close();
    end.abort(new Error('the story has ended, and its server with it'));
    const remove = (): Promise<void> => removeMade(send, { prefix, made, cluster });
    if (journal === undefined) await remove();
    else left.push(remove);
  };
  const settled = (): Promise<void> => untilDefinitionsRest(send, cluster.run);
  open.add(close);
  return {
    embedded: { ...plane, server: serverOf(serve, settled), close },
    stored: (resource) => mirror.stored(resource),
    onChange: (look) => mirror.onChange(look),
  };
}

/** What stories look at between two writes. */
const mirrored = ({ kinds = [] }: ServerParts): readonly Resource[] =>
  kinds.length === 0 ? [pods] : [pods, revisions, ...kinds.map((kind) => resourceOf(kind))];

/** Controllers of Kubernetes unless the cluster has them, nodes and further controllers, as clients. */
function startPlane(parts: ServerParts, cluster: TestCluster, serve: Serve): Promise<ControlPlane> {
  const { controllers = [], seed = 11 } = parts;
  const names = controllers === 'all' ? controllerNames : controllers;
  return startControlPlane(
    {
      random: seededRandom(seed),
      tasks: systemTasks,
      rootCa: 'the authority',
      report: (error) => {
        throw error;
      },
      ...parts,
      kubeControllers: new Set(cluster.hasControllers ? [] : names),
    },
    serverOf(serve, () => Promise.resolve()),
  );
}

const serverOf = (serve: Serve, settled: () => Promise<void>): Embedded['server'] => ({
  serve,
  settled,
  close: () => undefined,
  get context(): never {
    throw new Error('only the embedded server in this process shows its store');
  },
});
