import { homedir } from 'node:os';
import { listAt, textAt, type MutableJsonObject } from '#base/json.ts';
import { formatMicroTime } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import type { ClusterAccess } from '#edge/kube/access.ts';
import { inClusterAccess, type PodEnvironment } from '#edge/kube/in-cluster.ts';
import { kubeconfigPaths } from '#edge/kube/kubeconfig-files.ts';
import { KubeconfigInvalid } from '#edge/kube/kubeconfig-invalid.ts';
import { loadKubeconfig } from '#edge/kube/kubeconfig.ts';
import type { Outcome, Refusal } from '#edge/kube/outcome.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { undiciTransport } from '#edge/kube/undici-transport.ts';
import { annotationsOf, labelsOf, type KubeObject } from '#kube/object.ts';
import { nodeLabel } from '#nodes/node/node-shape.ts';
import { downAnnotation } from '#nodes/node-registry.ts';
import { nodes, pods } from '#nodes/resources.ts';
import { tuningPrefix } from '#nodes/tuning/annotations.ts';
import { ExitError } from './exit.ts';

/** What all commands that talk to a cluster take. */
export type ClusterFlags = { readonly kubeconfig?: string };
export type SimFlags = ClusterFlags & {
  readonly namespace?: string;
  readonly container?: string;
  readonly output?: string;
};
export type PodAct = 'crash' | 'ready' | 'unready';
export type NodeAct = 'down' | 'up';

export type OpenCluster = {
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly server: string;
  /** The authority of its certificates, in PEM; undefined: one of the system's, or none. */
  readonly ca: string | undefined;
  readonly namespace: string;
  close(): Promise<void>;
};

const patienceMillis = 30_000;

/** `boathook sim crash|ready|unready POD`: by the pod's annotations, which simulated nodes obey. */
export async function simPod(act: PodAct, name: string, flags: SimFlags): Promise<number> {
  const isJson = wantsJson(flags);
  return withCluster(flags, async ({ client, namespace: usual }, signal) => {
    const namespace = flags.namespace ?? usual;
    const said = `pod ${namespace}/${name}`;
    const pod = mustBe(await client.get(pods, { namespace, name }, signal), said);
    checkContainer(pod, flags.container, said);
    await checkPlayed(client, pod, said, signal);
    const { key, value, sentence } = podActs[act]();
    const annotations = changed(pod, key, flags.container, value);
    const patch = { type: 'merge', body: { metadata: { annotations } }, fieldManager } as const;
    mustBe(await client.patch(pods, { namespace, name }, patch, signal), said);
    const { container } = flags;
    print(isJson, `${said}${container === undefined ? '' : `, container ${container}`}: ${sentence}`, {
      action: act,
      namespace,
      pod: name,
      ...(container === undefined ? {} : { container }),
      annotations,
    });
  });
}

/** `boathook sim node down|up NAME`. */
export async function simNode(act: NodeAct, name: string, flags: SimFlags): Promise<number> {
  const isJson = wantsJson(flags);
  return withCluster(flags, async ({ client }, signal) => {
    const said = `node ${name}`;
    const node = mustBe(await client.get(nodes, { name }, signal), said);
    if (!isSimulated(node))
      throw new ExitError(1, `${said} is not simulated (it has no label ${nodeLabel}): it is left alone`);
    const annotations = { [downAnnotation]: act === 'down' ? 'true' : null };
    const patch = { type: 'merge', body: { metadata: { annotations } }, fieldManager } as const;
    mustBe(await client.patch(nodes, { name }, patch, signal), said);
    const sentence = act === 'down' ? 'gives no more signs of life' : 'is up';
    print(isJson, `${said} ${sentence}`, { action: act, node: name, annotations });
  });
}

/**
 * The cluster that `--kubeconfig`, else `KUBECONFIG`, else the home folder names; in a pod without any of them,
 * the pod's own. Nothing is asked of it yet.
 */
export function openCluster({ kubeconfig }: ClusterFlags, userAgent: string): OpenCluster {
  const paths =
    kubeconfig === undefined ? kubeconfigPaths(process.env['KUBECONFIG'], homedir()) : [kubeconfig];
  const access = accessIn(paths, kubeconfig === undefined);
  const surroundings = { terminal: process.stdin.isTTY, env: process.env };
  const opened = undiciTransport(access, systemClock, surroundings);
  const { transport } = opened;
  const client = createClient({ transport, clock: systemClock, userAgent });
  const { server, ca, namespace } = access;
  return { client, transport, server, ca, namespace, close: () => opened.close() };
}

/** The object; refusals and outages end the command with their code (decision 39). */
export function mustBe(outcome: Outcome, what: string): KubeObject {
  if (outcome.type === 'ok') return outcome.object;
  throw refused(outcome, what);
}

function refused({ type, message }: Refusal, what: string): ExitError {
  if (type === 'not-found') return new ExitError(1, `${what} does not exist`);
  if (type === 'unauthorized') return new ExitError(5, `the cluster refused the login: ${message}`);
  return new ExitError(1, `${what}: ${message}`);
}

export function explainedOutage(error: unknown, server: string): unknown {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  if (!(error instanceof Unavailable) && !isLate) return error;
  const why = isLate ? `no answer in ${patienceMillis / 1000} s` : error.message;
  return new ExitError(5, `the cluster at ${server} cannot be reached: ${why}`);
}

const fieldManager = 'boathook-sim';

type Wish = { readonly key: string; readonly value: string; readonly sentence: string };

const podActs: Readonly<Record<PodAct, () => Wish>> = {
  crash: () => ({ key: 'crash-at', value: formatMicroTime(systemClock.now()), sentence: 'crashes now' }),
  ready: () => ({ key: 'probe', value: 'ok', sentence: 'its readiness probe succeeds from now on' }),
  unready: () => ({ key: 'probe', value: 'fail', sentence: 'its readiness probe fails from now on' }),
};

function accessIn(paths: readonly string[], mayBeOwn: boolean): ClusterAccess {
  try {
    const access = loadKubeconfig(paths) ?? (mayBeOwn ? inClusterAccess(podEnvironment()) : undefined);
    if (access !== undefined) return access;
  } catch (error) {
    if (error instanceof KubeconfigInvalid) throw new ExitError(2, error.message);
    throw error;
  }
  const where = paths.join(', ');
  const inPod =
    process.env['KUBERNETES_SERVICE_HOST'] === undefined ? '' : ', or let the pod have its service account';
  throw new ExitError(
    2,
    `there is no kubeconfig at ${where}: name one with --kubeconfig or KUBECONFIG${inPod}`,
  );
}

const podEnvironment = (): PodEnvironment => ({
  KUBERNETES_SERVICE_HOST: process.env['KUBERNETES_SERVICE_HOST'],
  KUBERNETES_SERVICE_PORT: process.env['KUBERNETES_SERVICE_PORT'],
});

async function withCluster(
  flags: SimFlags,
  act: (cluster: OpenCluster, signal: AbortSignal) => Promise<void>,
): Promise<number> {
  const cluster = openCluster(flags, 'boathook-sim');
  try {
    await act(cluster, AbortSignal.timeout(patienceMillis));
    return 0;
  } catch (error) {
    throw explainedOutage(error, cluster.server);
  } finally {
    await cluster.close();
  }
}

function wantsJson({ output }: SimFlags): boolean {
  if (output === undefined || output === 'json') return output === 'json';
  throw new ExitError(2, `-o ${output} is not known: use json`);
}

function checkContainer(pod: KubeObject, container: string | undefined, said: string): void {
  if (container === undefined) return;
  const lists = ['initContainers', 'containers', 'ephemeralContainers'];
  const names = lists.flatMap((list) => listAt(pod, 'spec', list).map((each) => textAt(each, 'name') ?? ''));
  if (names.includes(container)) return;
  throw new ExitError(2, `${said} has no container ${container}: choose from ${names.join(', ')}`);
}

/** An annotation on a pod that nobody simulates would promise what never happens. */
async function checkPlayed(
  client: KubeClient,
  pod: KubeObject,
  said: string,
  signal: AbortSignal,
): Promise<void> {
  const name = textAt(pod, 'spec', 'nodeName') ?? '';
  if (name === '') throw new ExitError(1, `${said} has no node yet: try again when it is scheduled`);
  const node = mustBe(await client.get(nodes, { name }, signal), `${said}: its node ${name}`);
  if (isSimulated(node)) return;
  throw new ExitError(1, `${said} is on node ${name}, which is not simulated: it is left alone`);
}

const isSimulated = (node: KubeObject): boolean => labelsOf(node)[nodeLabel] !== undefined;

/** What is said of all containers takes the place of what was said of single ones, which would count more. */
function changed(
  pod: KubeObject,
  key: string,
  container: string | undefined,
  value: string,
): MutableJsonObject {
  if (container !== undefined) return { [`${tuningPrefix}${key}.${container}`]: value };
  const found: MutableJsonObject = { [`${tuningPrefix}${key}`]: value };
  for (const name of Object.keys(annotationsOf(pod)))
    if (name.startsWith(`${tuningPrefix}${key}.`)) found[name] = null;
  return found;
}

function print(isJson: boolean, sentence: string, json: MutableJsonObject): void {
  process.stdout.write(isJson ? `${JSON.stringify(json, undefined, 2)}\n` : `${sentence}\n`);
}
