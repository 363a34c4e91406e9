import { textAt } from '#base/json.ts';
import { parseTime, seconds } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import type { Listening } from '#edge/http/listen.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Log } from '#edge/log.ts';
import { systemRandom } from '#edge/random.ts';
import { systemTasks } from '#edge/tasks.ts';
import { nameOf } from '#kube/object.ts';
import { leaseNamespace } from '#embedded/nodes/node/node-object.ts';
import { nodeNameOf, usualShape } from '#embedded/nodes/node/node-shape.ts';
import { otherOwner, type NodeOwner } from '#embedded/nodes/node/node-owner.ts';
import { leases } from '#embedded/nodes/api/resources.ts';
import { startNodes, type SimulatedNodes } from '#embedded/nodes/start.ts';
import type { NodeOptions } from '#embedded/start.ts';
import { clusterFlagsIn } from '#command/cluster-options.ts';
import { flagsOf } from '#command/flags.ts';
import { ExitError } from '#command/exit.ts';
import { openKubeletServer } from '#embedded/kubelet-server.ts';
import { thisProcess } from '#embedded/this-process.ts';
import {
  simulationProfiles,
  startSimulationRules,
  type SimulationRules,
} from '#embedded/nodes/profile/simulation-rules.ts';
import type { Report } from '#loop/report.ts';
import { openLog, reportTo } from '#command/command-log.ts';
import { explainedOutage, mustBe, openCluster, type OpenCluster } from '#command/open-cluster.ts';
import { nodeFlags } from './up-options.ts';

const patience = seconds(30);
/** The command ends within two seconds, even when the server does not answer. */
const farewell = seconds(1.5);

/** `boathook nodes`: simulates scheduler and kubelets for any API server until it is stopped. */
export async function nodes(given: Readonly<Record<string, unknown>>): Promise<number> {
  const began = performance.now();
  const log = openLog(given);
  const options = { ...nodeOptions(given), prefix: prefixOf(flagsOf(given).text('namePrefix') ?? '') };
  const cluster = openCluster(clusterFlagsIn(given), 'boathook-nodes');
  const stopped = stopRequested();
  // Keeps the process alive while the API server is away: idle connections alone do not.
  const alive = setInterval(() => undefined, 60_000);
  const stop = new AbortController();
  const playing = new Playing();
  const server = await openServer(cluster, playing, log);
  try {
    const played = await start(
      cluster,
      { ...options, kubeletPort: server?.port, report: reportTo(log) },
      stop.signal,
    );
    playing.nodes = played;
    const isReady = await Promise.race([played.synced.then(() => true), stopped.then(() => false)]);
    if (isReady) {
      const count = `${options.count} simulated ${options.count === 1 ? 'node' : 'nodes'}`;
      const span = ((performance.now() - began) / 1000).toFixed(2);
      log.say(`${count} on ${cluster.server}, ready in ${span} s`);
    }
    await stopped;
    await Promise.race([played.close(), systemClock.sleep(farewell, new AbortController().signal)]);
    return 0;
  } finally {
    stop.abort(new Error('the command ends'));
    await server?.close();
    await cluster.close();
    clearInterval(alive);
  }
}

class Playing {
  nodes: SimulatedNodes | undefined;
}

const world = { clock: systemClock, random: systemRandom };

/** Serves logs to clients with a certificate of the cluster's CA; without a CA it does not listen. */
async function openServer({ ca }: OpenCluster, playing: Playing, log: Log): Promise<Listening | undefined> {
  if (ca === undefined) return undefined;
  const report = (problem: unknown): void => log.warn('a request for logs failed', { why: String(problem) });
  return openKubeletServer({ ca, clock: systemClock, nodes: () => playing.nodes, report });
}

type StartOptions = NodeOptions & {
  readonly prefix: string;
  readonly kubeletPort: number | undefined;
  readonly report: Report;
};

async function start(
  cluster: OpenCluster,
  options: StartOptions,
  stop: AbortSignal,
): Promise<SimulatedNodes> {
  const { client, server } = cluster;
  try {
    const signal = AbortSignal.timeout(patience);
    mustBe(await client.raw('/version', signal), 'the version of the server');
    const owner = thisProcess();
    await mustBeFree(client, options, owner, signal);
    const { count, profile, timeScale, seed, prefix, report } = options;
    const rules = await followRules({ client, report, seed }, stop, signal);
    // Beside a real scheduler, the simulated one only takes pods that name it in schedulerName.
    const isSecond = await isLed(client, 'kube-scheduler', signal);
    const played = startNodes({
      ...world,
      client,
      report,
      tasks: systemTasks,
      nodes: count,
      profile,
      timeScale,
      seed,
      namePrefix: prefix,
      owner,
      ...(isSecond && { schedulerName: 'boathook-scheduler' }),
      shape: {
        ...usualShape,
        isReserved: isSecond,
        ...(options.kubeletPort !== undefined && { kubeletPort: options.kubeletPort }),
      },
      lifecycle: !(await isLed(client, 'kube-controller-manager', signal)),
      ...(rules && { rules: rules.rules }),
    });
    rules?.onChange(() => played.lookAgain());
    return played;
  } catch (error) {
    throw explainedOutage(error, server);
  }
}

/** Refuses nodes that another process simulates already. */
async function mustBeFree(
  client: KubeClient,
  { prefix, count }: StartOptions,
  owner: NodeOwner,
  signal: AbortSignal,
): Promise<void> {
  const listed = await client.list(leases, { namespace: leaseNamespace }, signal);
  if (listed.type !== 'ok') return;
  const wanted = new Set(Array.from({ length: count }, (_, index) => nodeNameOf(prefix, index)));
  for (const lease of listed.items) {
    const rival = wanted.has(nameOf(lease)) ? otherOwner(lease, owner, systemClock.now()) : undefined;
    if (rival === undefined) continue;
    const [host, pid] = rival.split('/');
    throw new ExitError(
      3,
      `node ${nameOf(lease)} is already played by process ${pid} on ${host}: stop it, or choose other names with --name-prefix`,
    );
  }
}

/** Reads SimulationProfiles, if the cluster serves them, before the first pod is simulated. */
async function followRules(
  given: { readonly client: KubeClient; readonly report: Report; readonly seed: number },
  stop: AbortSignal,
  signal: AbortSignal,
): Promise<SimulationRules | undefined> {
  const served = await given.client.list(simulationProfiles, {}, signal);
  if (served.type !== 'ok') return undefined;
  return startSimulationRules({ ...world, ...given }, stop);
}

/** Whether this component of a real control plane runs: it renews its Lease every few seconds. */
async function isLed(client: KubeClient, name: string, signal: AbortSignal): Promise<boolean> {
  const found = await client.get(leases, { namespace: 'kube-system', name }, signal);
  if (found.type !== 'ok') return false;
  const renewed = parseTime(textAt(found.object, 'spec', 'renewTime') ?? '');
  return renewed !== undefined && systemClock.now() - renewed < seconds(60);
}

/** The flags that `boathook up` has too mean the same here. */
function nodeOptions(given: Readonly<Record<string, unknown>>): NodeOptions {
  const options = nodeFlags(given);
  if (options.count === 0) throw new ExitError(2, '--nodes 0 leaves nothing to do: give at least 1');
  return options;
}

function prefixOf(text: string): string {
  if (/^[a-z0-9][a-z0-9.-]{0,49}$/.test(text)) return text;
  throw new ExitError(
    2,
    `--name-prefix ${text} cannot begin a node's name: use up to 50 lower-case letters, digits and dashes`,
  );
}

function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
