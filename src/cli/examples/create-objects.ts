import type { JsonObject } from '#base/json.ts';
import { millis, type Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome, Refusal } from '#edge/kube/outcome.ts';
import { kindOf, nameOf, objectKeyOf } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { ActReply } from '#web/wire/session.ts';

/** An object of an example, and what happens when there is one of its name. */
export type ExampleObject = {
  readonly resource: Resource;
  readonly object: JsonObject;
  readonly ifThere: 'refuse' | 'replace' | 'keep';
};

/** Creates objects in their order. Undefined: all exist now. */
export async function createObjects(
  client: KubeClient,
  clock: Clock,
  objects: readonly ExampleObject[],
  signal: AbortSignal,
): Promise<ActReply | undefined> {
  for (const { resource, object, ifThere } of objects) {
    const outcome = await createOne({ client, clock, resource, object }, signal);
    if (outcome.type === 'ok') continue;
    if (outcome.type !== 'exists') return refused(object, outcome);
    if (ifThere === 'refuse')
      return {
        result: 'Nothing',
        message: `${kindOf(object)} ${nameOf(object)} exists already: delete it to load the example again.`,
      };
    if (ifThere === 'keep') continue;
    const body = { spec: object['spec'] ?? {} };
    const patched = await client.patch(resource, objectKeyOf(object), { type: 'merge', body }, signal);
    if (patched.type !== 'ok') return refused(object, patched);
  }
  return undefined;
}

type Creation = {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly resource: Resource;
  readonly object: JsonObject;
};

/** A kind that was defined just now may not be served yet. */
async function createOne(
  { client, clock, resource, object }: Creation,
  signal: AbortSignal,
): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await client.create(resource, object, signal);
    if (outcome.type !== 'not-found' || tries === 50) return outcome;
    await clock.sleep(millis(100), signal);
  }
}

export const refused = (object: JsonObject, { type, message }: Refusal): ActReply => ({
  result: type === 'forbidden' ? 'Forbidden' : 'Refused',
  message: `${kindOf(object)} ${nameOf(object)}: ${message}`,
});
