import { objectKeyOf, type KubeObject } from '#kube/object.ts';
import { Refused } from '#loop/owned/write.ts';
import { decideReconcile } from '#registrations/decide/decide-reconcile.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { InstanceDeps } from './instance-deps.ts';
import type { ReconcileEnd } from './reconcile-steps.ts';

/** Writes the status of an instance; returns the written object, and undefined when the instance is gone. */
export async function writeInstanceStatus(
  deps: Pick<InstanceDeps, 'client' | 'resource'>,
  { snapshot, finish }: ReconcileEnd,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const { client, resource } = deps;
  const { instance } = snapshot;
  const { status } = finish;
  if (status === undefined) return instance;
  const outcome = await client.updateStatus(resource, { ...instance, status }, signal);
  if (outcome.type === 'ok') return outcome.object;
  if (outcome.type === 'not-found') return undefined;
  if (outcome.type !== 'conflict') throw new Refused(outcome);
  const fresh = await client.get(resource, objectKeyOf(instance), signal);
  if (fresh.type === 'not-found') return undefined;
  if (fresh.type !== 'ok' || fingerprint(instance) !== fingerprint(fresh.object)) throw new Refused(outcome);
  // Only the status changed: decide again without calling the hook, and keep what others wrote.
  const current = { ...snapshot, instance: fresh.object };
  const step = decideReconcile(current);
  if (step.type !== 'finish') throw new Refused(outcome);
  return writeInstanceStatus(deps, { snapshot: current, finish: step }, signal);
}

const fingerprint = (instance: KubeObject): string =>
  fingerprintOf({ instance, live: [], references: new Map() }, '');
