import { listAt, textAt, type MutableJsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { formatMicroTime } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { annotationsOf, labelsOf, type KubeObject } from '#kube/object.ts';
import { nodeLabel } from '#embedded/nodes/node/node-shape.ts';
import { downAnnotation } from '#embedded/nodes/node/node-registry.ts';
import { nodes, pods } from '#embedded/nodes/api/resources.ts';
import { tuningPrefix } from '#embedded/nodes/tuning/annotations.ts';
import { ExitError } from '#command/exit.ts';
import {
  explainedOutage,
  mustBe,
  openCluster,
  patienceMillis,
  type ClusterFlags,
  type OpenCluster,
} from '#command/open-cluster.ts';

export type SimFlags = ClusterFlags & {
  readonly namespace?: string;
  readonly container?: string;
  readonly output?: string;
};
export type PodAct = 'crash' | 'ready' | 'unready';
export type NodeAct = 'down' | 'up';

/** `boathook sim crash|ready|unready POD`: by the pod's annotations, which simulated nodes follow. */
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

const fieldManager = 'boathook-sim';

type Wish = { readonly key: string; readonly value: string; readonly sentence: string };

const podActs: Readonly<Record<PodAct, () => Wish>> = {
  crash: () => ({ key: 'crash-at', value: formatMicroTime(systemClock.now()), sentence: 'crashes now' }),
  ready: () => ({ key: 'probe', value: 'ok', sentence: 'its readiness probe succeeds from now on' }),
  unready: () => ({ key: 'probe', value: 'fail', sentence: 'its readiness probe fails from now on' }),
};

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

/** Refuses a pod that is not on a simulated node: the annotation would have no effect. */
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

/** An annotation for all containers replaces those for single containers, which would take precedence. */
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
  process.stdout.write(isJson ? `${printJson(json, 2)}\n` : `${sentence}\n`);
}
