import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import type { SendPlain } from './own-objects.ts';
import { traffic } from './traffic.ts';

/** A server serves a new kind a moment after it has stored its definition. */
export async function untilServed(send: SendPlain, definition: JsonObject): Promise<void> {
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
  await traffic.during(
    (async () => {
      for (let tries = 0; tries < 300 && !(await isReady()); tries += 1) await sleep(10);
    })(),
  );
}
