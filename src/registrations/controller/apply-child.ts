import { listAt, textAt } from '#base/json.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { objectKeyOf, uidOf, withMeta, type KubeObject } from '#kube/object.ts';
import { fieldManager } from '#registrations/model/registration.ts';
import type { ApplyDeps } from './existing-children.ts';
import { childResource } from './resources.ts';

export type ChildWrite = {
  readonly object: KubeObject;
  /** The child as it is known; undefined when it is to be created. */
  readonly there: KubeObject | undefined;
  readonly dryRun: boolean;
};

/** No object has it: the server refuses to change an existing object, and creates one all the same. */
const noVersion = '1';

/** Applies a child to the object that is known, by its uid, or creates it: never changes an object that is not known. */
export const applyChild = (
  { client }: ApplyDeps,
  { object, there, dryRun }: ChildWrite,
  signal: AbortSignal,
): Promise<Outcome> => {
  const body = withMeta(object, there === undefined ? { resourceVersion: noVersion } : { uid: uidOf(there) });
  return client.patch(
    childResource(object),
    objectKeyOf(object),
    { type: 'apply', body, force: true, fieldManager, dryRun },
    signal,
  );
};

/** Whether the name belongs to another object than the one that was known, or to one although none was known, or to none. */
export function isMistaken(outcome: Outcome): boolean {
  if (outcome.type === 'ok') return false;
  const causes = listAt(outcome.status, 'details', 'causes');
  return outcome.type === 'conflict' || causes.some((cause) => textAt(cause, 'field') === 'metadata.uid');
}
