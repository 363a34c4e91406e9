import type { Journal } from '#base/journal.ts';
import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock, Millis } from '#base/time.ts';
import type { TokenUser } from './server/authorization/authenticate.ts';
import type { Kind } from '#schema/kind/kind.ts';
import type { AuthorizationMode } from './server/rbac/access.ts';
import type { LogSource } from './server/request/call.ts';
import { createApiServer, type ApiServer } from './server/server.ts';
import type { HistoryLimits } from './server/store/history.ts';
import { startControllers, type ControllerName } from './controllers/start.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import { inProcessTransport } from '#edge/kube/in-process-transport.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { parseYamlStrict } from '#edge/yaml.ts';
import type { ControllerSet } from '#loop/controller-set.ts';
import type { Report } from '#loop/report.ts';
import { shareInformers, type SharedInformers } from '#loop/shared-informers.ts';
import type { NodeShape } from './nodes/node/node-shape.ts';
import type { NodeOwner } from './nodes/node/node-owner.ts';
import { startNodes, type SimulatedNodes } from './nodes/start.ts';
import type { ProfileName } from './nodes/tuning/profiles.ts';
import type { TokenSigner } from '#kube/token-signer.ts';
import { installKinds } from '#command/install-kinds.ts';
import { clusterLogs, type KubeletDial } from './kubelet-logs.ts';
import { packageVersion } from '#command/package-version.ts';
import { startSimulationRules, type SimulationRules } from './nodes/profile/simulation-rules.ts';
import { publishClientAuthority } from './client-authority.ts';
import { ensureStorageClass } from './storage-class.ts';
import type { LoopDeps } from '#loop/loop-deps.ts';

export type EmbeddedDeps = {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks: Tasks;
  readonly tokens: readonly TokenUser[];
  /** `allow` unless given. */
  readonly authorization?: AuthorizationMode;
  readonly tokenSigner?: TokenSigner;
  readonly rootCa: string;
  readonly kubeControllers: ReadonlySet<ControllerName>;
  /** None unless given: pods then stay where they are. */
  readonly nodes?: NodeOptions;
  /** The identity of this process among those that simulate nodes. */
  readonly owner?: NodeOwner;
  /** Connects to other processes on this machine that keep logs of pods; without it only own logs are served. */
  readonly dialKubelets?: KubeletDial;
  /** Starts further controllers; none unless given. The kinds they watch must be among `kinds`. */
  readonly control?: (parts: EmbeddedParts) => ControllerSet | undefined;
  /** Kinds to install before the simulation starts; none unless given. */
  readonly kinds?: readonly Kind[];
  readonly history?: HistoryLimits;
  /** How long events are kept after they were last written: an hour unless given, 0 for ever. */
  readonly eventTtl?: Millis;
  /** Between two bookmarks of a watch: a minute unless given. */
  readonly bookmarkEvery?: Millis;
  readonly report: (error: unknown) => void;
  /** Receives what controllers retry. */
  readonly log?: Report;
};

/** What further controllers are started with: a transport to the server, and what they share with the others. */
export type EmbeddedParts = Omit<LoopDeps, 'client'> & {
  readonly transport: Transport;
  readonly informers: SharedInformers;
};

export type NodeOptions = {
  readonly count: number;
  readonly profile: ProfileName;
  readonly timeScale: number;
  readonly seed: number;
  /** Between two heartbeats of a node; undefined: ten seconds, scaled. */
  readonly heartbeat?: Millis | undefined;
  /** Whether routine events are recorded too; undefined: as in the profile. */
  readonly routineEvents?: boolean | undefined;
  /** What each node offers; 32 CPUs and 128Gi unless given. */
  readonly shape?: NodeShape;
};

export type Embedded = {
  readonly server: ApiServer;
  /** True as soon as `/readyz` returns ok. */
  readonly isReady: () => boolean;
  readonly ready: Promise<void>;
  readonly close: () => Promise<void>;
};

/** The embedded control plane without a listener: the API server and the controllers that belong to it. */
export async function startEmbedded(deps: EmbeddedDeps): Promise<Embedded> {
  let plane: ControlPlane | undefined;
  const server = await createApiServer({
    ...deps,
    yaml: { parse: parseOne, print: printYaml },
    authorization: deps.authorization ?? 'allow',
    version: { minor: 32, patch: 4, build: packageVersion() },
    checks: { 'caches-synced': () => plane?.isReady() === true },
    logs: () => plane?.logs,
  });
  plane = await startControlPlane(deps, server);
  const { isReady, ready, close } = plane;
  return { server, isReady, ready, close };
}

/** What a control plane needs of its API server. */
export type ServedApi = Pick<ApiServer, 'serve' | 'settled' | 'close'>;

export type ControlPlane = Omit<Embedded, 'server'> & { readonly logs: LogSource | undefined };

export type ControlPlaneDeps = Omit<EmbeddedDeps, 'journal' | 'tokens' | 'authorization' | 'tokenSigner'>;

/** Kubernetes' controllers, simulated nodes and further controllers, on any API server. */
export async function startControlPlane(deps: ControlPlaneDeps, server: ServedApi): Promise<ControlPlane> {
  let ready = false;
  const { clock, random, tasks } = deps;
  const transport = inProcessTransport(server.serve, controllerManager);
  const client = createClient({ transport, clock, userAgent: 'kube-controller-manager' });
  // Nodes and controllers share one watch of pods.
  const log = deps.log ?? silent;
  const informers = shareInformers({ client, clock, random, report: log });
  const stop = new AbortController();
  await ensureStorageClass(client, deps.kubeControllers, stop.signal);
  await publishClientAuthority(client, deps, stop.signal);
  const rules = await followProfiles(deps, client, stop.signal);
  const nodes = playNodes(deps, server, informers, rules);
  const logs = clusterLogs({ client, nodes, dial: deps.dialKubelets });
  rules?.onChange(() => nodes?.lookAgain());
  const { rootCa, kubeControllers: names } = deps;
  const loop = { client, informers, clock, random, tasks, report: log };
  const controllers = startControllers({ ...loop, rootCa, names });
  const control = deps.control?.(partsOf(deps, server, informers));
  const running = informers.run(stop.signal);
  const parts = [server.settled(), controllers.synced, nodes?.synced, control?.synced];
  const synced = becomeReady(parts, () => {
    ready = true;
  });
  const close = async (): Promise<void> => {
    await control?.close();
    await nodes?.close();
    await controllers.close();
    stop.abort(new Error('the control plane is closing'));
    await running;
    server.close();
  };
  return { isReady: () => ready, ready: synced, close, logs };
}

/** Requests of the controllers in this process carry a certificate that only this process can show. */
const controllerManager = { user: 'system:kube-controller-manager', groups: ['system:masters'] };

async function becomeReady(parts: readonly (Promise<void> | undefined)[], done: () => void): Promise<void> {
  await Promise.all(parts.filter((part) => part !== undefined));
  done();
}

const partsOf = (
  { clock, random, tasks, log: report = silent }: ControlPlaneDeps,
  server: ServedApi,
  informers: SharedInformers,
): EmbeddedParts => ({
  transport: inProcessTransport(server.serve, ownControllers),
  clock,
  random,
  tasks,
  report,
  informers,
});

const ownControllers = { user: 'system:boathook-controller', groups: ['system:masters'] };

function playNodes(
  deps: ControlPlaneDeps,
  server: ServedApi,
  informers: SharedInformers,
  rules: SimulationRules | undefined,
): SimulatedNodes | undefined {
  if (deps.nodes === undefined || deps.nodes.count === 0) return undefined;
  const { clock, random, tasks, log: report = silent } = deps;
  const transport = inProcessTransport(server.serve, kubelets);
  const client = createClient({ transport, clock, userAgent: 'kubelet' });
  const { count, ...settings } = deps.nodes;
  return startNodes({
    client,
    clock,
    random,
    tasks,
    report,
    informers,
    nodes: count,
    ...settings,
    ...(deps.owner && { owner: deps.owner }),
    ...(rules && { rules: rules.rules }),
  });
}

/** The rules are loaded before the first pod is simulated. */
async function followProfiles(
  { kinds = [], nodes, clock, random, log: report = silent }: ControlPlaneDeps,
  client: KubeClient,
  signal: AbortSignal,
): Promise<SimulationRules | undefined> {
  await installKinds(client, kinds, signal);
  if (kinds.length === 0 || nodes === undefined || nodes.count === 0) return undefined;
  return startSimulationRules({ client, clock, random, report, seed: nodes.seed }, signal);
}

const silent: Report = () => undefined;

const kubelets = { user: 'system:node:simulated', groups: ['system:nodes', 'system:masters'] };

function parseOne(text: string): {
  value: ReturnType<typeof parseYamlStrict>['documents'][number];
  duplicates: readonly string[];
} {
  const { documents, duplicates } = parseYamlStrict(text);
  return { value: documents[0] ?? null, duplicates };
}
