import { setTimeout as sleep } from 'node:timers/promises';
import { listAt, numberAt, textAt } from '#base/json.ts';
import { ExitError } from '#command/exit.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { kindOf, nameOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { conditionText, isReady, toldConditions } from './object-text.ts';

export type Following = { readonly say: (line: string) => void; readonly signal: AbortSignal };

/** Attempts to reach a server that does not answer, one second apart: it may be restarting. */
const mostOutages = 60;

/** Prints the changes of an object until it is ready. */
export async function followToEnd(
  client: Pick<KubeClient, 'get' | 'watch'>,
  resource: Resource,
  first: KubeObject,
  { say, signal }: Following,
): Promise<void> {
  const seen = new Map<string, string>();
  for (let outages = 0; ;) {
    try {
      if (await followWatch(client, resource, { first, seen, say, signal })) return;
      outages = 0;
    } catch (error) {
      if (!(error instanceof Unavailable) || outages === mostOutages) throw error;
      if (outages === 0) say(`${nameOf(first)} cannot be read now: ${error.message}`);
      outages += 1;
    }
    await sleep(outages === 0 ? 100 : 1000, undefined, { signal });
  }
}

type Watched = Following & { readonly first: KubeObject; readonly seen: Map<string, string> };

/** Until it is ready, or the watch ends. */
async function followWatch(
  client: Pick<KubeClient, 'get' | 'watch'>,
  resource: Resource,
  { first, seen, say, signal }: Watched,
): Promise<boolean> {
  const name = nameOf(first);
  const found = await client.get(resource, { name }, signal);
  if (found.type === 'not-found') throw new ExitError(1, `${name} was deleted`);
  if (found.type !== 'ok') throw new ExitError(1, `${name}: ${found.message}`);
  if (uidOf(found.object) !== uidOf(first)) throw new ExitError(1, `${name} was deleted and created again`);
  for (const line of conditionLines(seen, found.object)) say(line);
  if (isSettled(found.object)) return true;
  const options = {
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: resourceVersionOf(found.object),
  };
  for await (const event of client.watch(resource, options, signal)) {
    if (!('object' in event)) return false;
    if (event.type === 'DELETED') throw new ExitError(1, `${name} was deleted`);
    for (const line of conditionLines(seen, event.object)) say(line);
    if (isSettled(event.object)) return true;
  }
  return false;
}

/** Lines about the conditions that changed since the last call. */
function conditionLines(seen: Map<string, string>, object: KubeObject): readonly string[] {
  return toldConditions(object).flatMap((condition) => {
    const type = textAt(condition, 'type') ?? '';
    const text = conditionText(condition);
    const isNew = seen.get(type) === undefined;
    if (seen.get(type) === text || (isNew && textAt(condition, 'status') === 'Unknown')) return [];
    seen.set(type, text);
    return [`${kindOf(object)} ${nameOf(object)} ${text}`];
  });
}

const isSettled = (object: KubeObject): boolean =>
  numberAt(object, 'status', 'observedGeneration') === numberAt(object, 'metadata', 'generation') &&
  listAt(object, 'status', 'conditions').some((each) => isReady(each) && textAt(each, 'status') === 'True');
