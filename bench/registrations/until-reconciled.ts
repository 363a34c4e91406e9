import { listAt, numberAt, textAt, type JsonObject } from '#base/json.ts';
import type { Address } from '../apiserver/connection.ts';
import { followLines, type Following } from '../nodes/event-lines.ts';
import { instancesPath } from './objects.ts';

/** Whether an instance says that its children are there and what its hook said. */
export const isReconciled = (instance: JsonObject): boolean =>
  numberAt(instance, 'status', 'observedGeneration') === numberAt(instance, 'metadata', 'generation') &&
  ['ServiceReady', 'KuardReady'].every((type) =>
    listAt(instance, 'status', 'conditions').some(
      (each) => textAt(each, 'type') === type && textAt(each, 'status') === 'True',
    ),
  );

/** Watches instances from now on, until so many of them are reconciled. */
export function untilReconciled(address: Address, plural: string, count: number): Promise<Following> {
  const done = new Set<string>();
  return followLines(address, instancesPath(plural), (line) => {
    const { object } = JSON.parse(line) as { readonly object: JsonObject };
    if (isReconciled(object)) done.add(textAt(object, 'metadata', 'name') ?? '');
    return done.size === count;
  });
}
