import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { clusterFolder, operationFolder } from '#cli/cluster/folders.ts';
import { ExitError } from '#cli/exit.ts';
import { explainedOutage, mustBe, openCluster, type OpenCluster } from '#cli/sim.ts';
import { clusters, machines } from '#control/machine-objects/resources.ts';
import { systemClock } from '#edge/clock.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { conditionText, followToEnd } from './follow.ts';
import { readObjects } from './read-objects.ts';

type Given = Readonly<Record<string, unknown>>;

const agent = 'boathook-cluster';
const text = (given: Given, name: string): string | undefined =>
  typeof given[name] === 'string' && given[name] !== '' ? given[name] : undefined;

/** `boathook cluster create -f FILE`: posts what the files say and follows it to its end. */
export async function createObjects(given: Given): Promise<number> {
  const files = Array.isArray(given['file']) ? given['file'].map(String) : [];
  const { cluster, machines: workers } = readObjects(files, text(given, 'installer'));
  return withObjects(given, async ({ client }, signal) => {
    mustBe(
      await client.create(clusters, cluster, signal, { fieldValidation: 'Strict' }),
      said('Cluster', cluster),
    );
    for (const worker of workers)
      mustBe(
        await client.create(machines, worker, signal, { fieldValidation: 'Strict' }),
        said('Machine', worker),
      );
    process.stdout.write(`${said('Cluster', cluster)} is created\n`);
    if (given['wait'] === false) return 0;
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    await followToEnd(client, clusters, nameOf(cluster), { say, signal });
    for (const worker of workers) await followToEnd(client, machines, nameOf(worker), { say, signal });
    return 0;
  });
}

/** `boathook cluster status NAME`. */
export const showObject = (name: string, given: Given): Promise<number> =>
  withObjects(given, async (cluster, signal) => {
    const { object } = await find(cluster, name, signal);
    if (given['output'] === 'json') {
      process.stdout.write(`${JSON.stringify(object['status'] ?? {}, null, 2)}\n`);
      return 0;
    }
    const operation = textAt(object, 'status', 'operation', 'id');
    const at = operation === undefined ? '' : `: ${operation}`;
    const lines = [
      `${name}: ${textAt(object, 'status', 'phase') ?? 'not looked at yet'}${at}`,
      ...listAt(object, 'status', 'operation', 'steps').flatMap((step) =>
        listAt(step, 'tasks').map(
          (task) =>
            `  ${textAt(task, 'node') ?? ''} ${textAt(step, 'name') ?? ''}: ${textAt(task, 'state') ?? ''}`,
        ),
      ),
      ...listAt(object, 'status', 'conditions').map((each) => conditionText(each).split('\n')[0] ?? ''),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return 0;
  });

/** `boathook cluster retry NAME`: another try of what failed, now. */
export const retryObject = (name: string, given: Given): Promise<number> =>
  withObjects(given, async (cluster, signal) => {
    const { resource } = await find(cluster, name, signal);
    const body = { spec: { retriedAt: formatTime(systemClock.now()) } };
    mustBe(await cluster.client.patch(resource, { name }, { type: 'merge', body }, signal), name);
    process.stdout.write(`${name} is tried again now\n`);
    return 0;
  });

/** `boathook cluster logs NAME`: what the scripts printed, from the data directory of the controller. */
export const objectLogs = (name: string, given: Given): Promise<number> =>
  withObjects(given, async (cluster, signal) => {
    const { object } = await find(cluster, name, signal);
    const owner = textAt(object, 'spec', 'clusterName') ?? name;
    const folder = clusterFolder(resolve(text(given, 'dataDir') ?? '.boathook'), owner);
    const step = (text(given, 'step') ?? '').replaceAll('/', '_');
    const wanted = { node: text(given, 'node'), step };
    printLogs(logsFolder(folder, textAt(object, 'status', 'operation', 'id')), wanted);
    return 0;
  });

/** Of the operation under way, else of the last one. */
function logsFolder(folder: string, operation: string | undefined): string {
  const all = join(folder, 'operations');
  const last = operation ?? (existsSync(all) ? readdirSync(all).sort().at(-1) : undefined);
  const logs = join(operationFolder(folder, last ?? ''), 'logs');
  if (last !== undefined && existsSync(logs)) return logs;
  throw new ExitError(
    2,
    `There is no output under ${folder}: run this where the controller runs, with its --data-dir`,
  );
}

function printLogs(logs: string, wanted: { readonly node: string | undefined; readonly step: string }): void {
  const nodes = readdirSync(logs).filter((node) => wanted.node === undefined || wanted.node === node);
  for (const node of nodes.sort())
    for (const file of readdirSync(join(logs, node)).sort()) {
      if (!file.includes(wanted.step)) continue;
      const path = join(logs, node, file);
      process.stdout.write(`==> ${node} ${file} (${path})\n${readFileSync(path, 'utf8')}`);
    }
}

type Found = { readonly object: KubeObject; readonly resource: typeof clusters };

/** A Cluster of this name, else a Machine. */
async function find({ client }: OpenCluster, name: string, signal: AbortSignal): Promise<Found> {
  const found = await client.get(clusters, { name }, signal);
  if (found.type === 'ok') return { object: found.object, resource: clusters };
  const machine = await client.get(machines, { name }, signal);
  return { object: mustBe(machine, `Cluster or Machine ${name}`), resource: machines };
}

const said = (kind: string, object: JsonObject): string => `${kind} ${nameOf(object)}`;

async function withObjects(
  given: Given,
  work: (cluster: OpenCluster, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const kubeconfig = text(given, 'kubeconfig');
  const cluster = openCluster(kubeconfig === undefined ? {} : { kubeconfig }, agent);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new ExitError(130, 'interrupted; what was begun goes on'));
  process.once('SIGINT', interrupt);
  // A watch alone does not keep the process.
  const awake = setInterval(() => undefined, 60_000);
  try {
    return await work(cluster, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw explainedOutage(error, cluster.server);
  } finally {
    clearInterval(awake);
    process.off('SIGINT', interrupt);
    await cluster.close();
  }
}
