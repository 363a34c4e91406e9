import { flagsOf } from '#command/flags.ts';
import type { Given } from '#command/given.ts';
import { resolve } from 'node:path';
import { at, listAt, textAt, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { formatTime } from '#base/time.ts';
import { clusterFolder } from '#machines/cli/files/folders.ts';
import { ExitError } from '#command/exit.ts';
import { mustServe } from '#command/missing-kinds.ts';
import { mustBe, type OpenCluster } from '#command/open-cluster.ts';
import { timeoutCode, timeoutIn, withinTimeout } from '#command/timeout-flag.ts';
import { clusters, machines } from '#machines/kinds/resources.ts';
import { systemClock } from '#edge/clock.ts';
import { isDeleting, kindOf, nameOf, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { followToEnd } from './follow.ts';
import { printObjectLogs } from './object-logs.ts';
import { conditionText, isReady, statusLines } from './object-text.ts';
import { readObjects, type ReadObjects } from './read-objects.ts';
import { findObject, withObjects } from './with-objects.ts';

/** `boathook cluster create -f FILE`: creates the objects of the files and follows them until they are ready. */
export async function createObjects(given: Given): Promise<number> {
  const flags = flagsOf(given);
  const limit = timeoutIn(flags.text('timeout'));
  const objects = readObjects(flags.texts('filename'), flags.text('installer'));
  return withObjects(given, async (opened, signal, begun) => {
    const made = await post(opened, objects, signal);
    if (given['wait'] === false) return 0;
    let current = made[0];
    const followed = await withinTimeout(limit, signal, async (soon) => {
      for (const object of made) {
        current = object;
        begun(staying(object));
        await followToEnd(opened.client, resourceOf(object), object, { say, signal: soon });
      }
    });
    if (followed.type === 'late' && current !== undefined)
      throw await unready(opened, current, { after: flags.text('timeout') ?? '', signal });
    return 0;
  });
}

/** `boathook cluster status NAME`. */
export const showObject = (name: string, given: Given): Promise<number> =>
  withObjects(given, async (opened, signal) => {
    const format = flagsOf(given).text('output');
    if (format !== undefined && format !== 'json')
      throw new ExitError(2, `-o takes json, not ${format}; for other formats there is kubectl get -o`);
    const { object } = await findObject(opened, name, signal);
    if (format === 'json') say(printJson(object['status'] ?? {}, 2));
    else for (const line of statusLines(object)) say(line);
    return 0;
  });

/** `boathook cluster retry NAME`: retries the failed step now. */
export const retryObject = (name: string, given: Given): Promise<number> =>
  withObjects(given, async (opened, signal) => {
    const { object, resource } = await findObject(opened, name, signal);
    say(await retryNow(opened, { object, resource }, signal));
    return 0;
  });

/** Starts another try of a Cluster or Machine at once; returns a sentence about it. */
export async function retryNow(
  { client }: Pick<OpenCluster, 'client'>,
  { object, resource }: { readonly object: KubeObject; readonly resource: Resource },
  signal: AbortSignal,
): Promise<string> {
  await demandUnpaused(client, object, signal);
  const name = nameOf(object);
  const body = { spec: { retriedAt: formatTime(systemClock.now()) } };
  mustBe(await client.patch(resource, { name }, { type: 'merge', body }, signal), name);
  return `${name} is retried now`;
}

/** A paused object is not retried; a deletion continues nevertheless. */
async function demandUnpaused(
  client: OpenCluster['client'],
  object: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const owner = textAt(object, 'spec', 'clusterName');
  const behind = owner === undefined ? undefined : await client.get(clusters, { name: owner }, signal);
  const cluster = owner === undefined ? object : behind?.type === 'ok' ? behind.object : undefined;
  if (isDeleting(object) || at(cluster, 'spec', 'paused') !== true) return;
  const name = owner ?? nameOf(object);
  const who = owner === undefined ? said(object) : `${said(object)} is not retried: its Cluster ${owner}`;
  throw new ExitError(
    1,
    `${who} is paused. To resume: kubectl patch cluster ${name} --type merge -p '{"spec":{"paused":false}}'`,
  );
}

/** `boathook cluster logs NAME`: what the scripts printed, from the data directory of the controller. */
export const objectLogs = (name: string, given: Given): Promise<number> =>
  withObjects(given, async (opened, signal) => {
    const { object } = await findObject(opened, name, signal);
    const owner = textAt(object, 'spec', 'clusterName');
    const flags = flagsOf(given);
    printObjectLogs(clusterFolder(flags.path('dataDir') ?? resolve('.boathook'), owner ?? name), {
      operation: textAt(object, 'status', 'operation', 'id'),
      machine: owner === undefined ? undefined : name,
      node: flags.text('node'),
      step: (flags.text('step') ?? '').replaceAll('/', '_'),
    });
    return 0;
  });

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const said = (object: JsonObject): string => `${textAt(object, 'kind') ?? ''} ${nameOf(object)}`;
const resourceOf = (object: KubeObject): typeof clusters =>
  kindOf(object) === 'Machine' ? machines : clusters;

/** Creates the Cluster, then its Machines. When one is refused, those before it stay. */
async function post(
  { client }: OpenCluster,
  { cluster, machines: workers }: ReadObjects,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const made: KubeObject[] = [];
  for (const object of [cluster, ...workers]) {
    const outcome = await client.create(resourceOf(object), object, signal, { fieldValidation: 'Strict' });
    if (outcome.type === 'not-found') await mustServe(client, [clusters, machines], signal);
    if (outcome.type === 'invalid' && made.length === 0)
      throw new ExitError(2, `${said(object)}: ${outcome.message}`);
    made.push(mustBe(outcome, said(object)));
    say(`${said(object)} is created`);
  }
  return made;
}

const staying = (object: KubeObject): string =>
  `${said(object)} remains, and the controller continues; wait for it with: kubectl wait --for=condition=Ready ${kindOf(object).toLowerCase()}/${nameOf(object)}`;

/** Why an object is not ready in time. */
async function unready(
  { client }: OpenCluster,
  object: KubeObject,
  { after, signal }: { readonly after: string; readonly signal: AbortSignal },
): Promise<ExitError> {
  const now = mustBe(await client.get(resourceOf(object), { name: nameOf(object) }, signal), said(object));
  const ready = listAt(now, 'status', 'conditions').find(isReady);
  const why = ready === undefined ? 'no controller has reconciled it' : conditionText(ready);
  return new ExitError(
    timeoutCode,
    `${said(object)} is not ready after ${after}: ${why}\n${staying(object)}`,
  );
}
