import type { Instant } from '#base/time.ts';
import {
  versionsFrom,
  type DeclaredHistory,
  type InstanceVersion,
  type RegistrationVersion,
} from './declared-history.ts';
import type { ProcessSight } from './process-sight.ts';

/** The versions that a process may act on. */
export type KnownVersions = {
  readonly instances: readonly InstanceVersion[];
  readonly registrations: readonly RegistrationVersion[];
};

/** A reconciliation waits for an answer of the hook so long at the most, in milliseconds. */
const longestCall = 5500;
/** Slow requests since then may belong to the same reconciliation. */
const window = 40_000;

/** When a reconciliation that writes now began, at the earliest. */
const beginOf = (sight: ProcessSight, now: Instant, call: number): number =>
  now - call - sight.delaySince(now - window);

/**
 * A new registration stops the controller of the former one. An instance that was queued before it in the same
 * millisecond is reconciled for the former one once more.
 */
const toStop = 1;

/**
 * The versions of an instance and of the registration that a process may act on now: those that were there, by what was
 * shown to it, when the reconciliation began, and all later ones.
 */
export function knownVersions(
  history: DeclaredHistory,
  sight: ProcessSight,
  { uid, now, call = longestCall }: { readonly uid: string; readonly now: Instant; readonly call?: number },
): KnownVersions {
  const begin = beginOf(sight, now, call);
  const instance = { plural: 'kuards', uid };
  const registration = { plural: 'crdregistrations', uid: history.uid };
  return {
    instances: versionsFrom(history.instance(uid), sight.revisionAt(instance, begin)),
    registrations: versionsFrom(history.registrations, sight.revisionAt(registration, begin - toStop)),
  };
}
