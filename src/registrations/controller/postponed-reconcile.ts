import { backOff } from '#base/back-off.ts';
import { millis, minutes, seconds } from '#base/time.ts';
import { keyOf } from '#loop/delta.ts';
import { warning } from '#loop/note.ts';
import { Refused } from '#loop/owned/write.ts';
import { aboutError, reasonOf } from '#loop/report.ts';
import { wake, type Next } from '#loop/work-queue.ts';
import type { InstanceDeps, ReconcileContext } from './instance-deps.ts';
import { Unreadable } from './watched-objects.ts';

type Reconciled = Pick<ReconcileContext, 'instance' | 'tracked'>;

/** A failed reconciliation may have called the hook, so the next one waits. */
const afterFailures = { first: seconds(1), longest: minutes(5) };

const loopMessage =
  'It changes as often as it is reconciled, so it is reconciled every 2 seconds only: does the hook answer differently each time, or does another client write its children?';

/** The next reconciliation of an instance that is reconciled too often. */
export function limitedReconcile({ events }: InstanceDeps, context: Reconciled, wait: number): Next {
  const { tracked, instance } = context;
  if (tracked.limiter.shouldWarn()) events.record(instance, warning('ReconcileLoop', loopMessage));
  return wake(millis(wait));
}

/** The next reconciliation after a failed one. */
export function failedReconcile(deps: InstanceDeps, error: unknown, { instance, tracked }: Reconciled): Next {
  const { registration, random, report, events, hookMetrics } = deps;
  const failures = tracked.fail();
  const why = reasonOf(error);
  hookMetrics?.reconciled('interrupted');
  const about = {
    registration: registration.name,
    instance: keyOf(instance),
    failures,
    ...aboutError(error),
  };
  report('an instance could not be reconciled', about, 'warn');
  if (error instanceof Refused || error instanceof Unreadable)
    events.record(instance, warning('ReconcileRefused', why));
  return wake(backOff(failures, random.next(), afterFailures));
}
