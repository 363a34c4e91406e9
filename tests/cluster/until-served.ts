import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { isDeleting, nameOf } from '#kube/object.ts';
import type { SendPlain } from './own-objects.ts';
import { runLabel } from './prefixed.ts';
import { traffic } from './traffic.ts';

/** A server acts on a definition a moment after it has stored the change: its kind is served, changed or gone. */
export const untilServed = (send: SendPlain, definition: JsonObject, method: string): Promise<void> =>
  traffic.during(
    `${method} of the definition ${nameOf(definition)}`,
    method === 'DELETE' ? untilGone(send, definition) : untilThere(send, definition),
  );

/** What the server does with a changed schema cannot be asked: it takes less than this, in milliseconds. */
const moment = 50;

async function untilThere(send: SendPlain, definition: JsonObject): Promise<void> {
  const spec = objectAt(definition, 'spec');
  const [group, plural] = [textAt(spec, 'group'), textAt(spec, 'names', 'plural')];
  const served = listAt(spec, 'versions').filter((each) => isObject(each) && each['served'] === true);
  const isReady = async (): Promise<boolean> => {
    for (const version of served) {
      const path = `/apis/${group}/${textAt(version, 'name')}/${plural}?limit=1`;
      if ((await send('GET', path)).status === 404) return false;
    }
    return true;
  };
  for (let tries = 0; tries < 300 && !(await isReady()); tries += 1) await sleep(10);
  await sleep(moment);
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Waits for definitions of a run that are on their way out; not for long, since instances may hold them. */
export async function untilDefinitionsRest(send: SendPlain, run: string): Promise<void> {
  const path = `${definitions}?labelSelector=${encodeURIComponent(`${runLabel}=${run}`)}`;
  const isLeaving = async (): Promise<boolean> =>
    listAt((await send('GET', path)).body, 'items').some((each) => isObject(each) && isDeleting(each));
  for (let tries = 0; tries < 30 && (await isLeaving()); tries += 1) await sleep(10);
  await sleep(moment);
}

/** Instances with finalizers hold a definition back: nobody waits for those. */
async function untilGone(send: SendPlain, definition: JsonObject): Promise<void> {
  const path = `${definitions}/${nameOf(definition)}`;
  for (let tries = 0; tries < 30 && (await send('GET', path)).status !== 404; tries += 1) await sleep(10);
  await sleep(moment);
}
