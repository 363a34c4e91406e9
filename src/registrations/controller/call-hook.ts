import type { HookAnswer, ReconcileStep } from '#registrations/decide/cycle.ts';
import type { ReconcileContext } from './instance-deps.ts';
import type { CallInProgress } from './tracked-instance.ts';

/** The instance was deleted during the call, or edited before the call was sent: the next reconciliation calls again. */
export class Superseded extends Error {
  constructor() {
    super('the instance was deleted or edited meanwhile');
    this.name = 'Superseded';
  }
}

/** Calls the hook. Deleting the instance aborts the call, and editing it aborts a call that waits. */
export async function callHook(
  { deps, key, tracked, signal }: ReconcileContext,
  { phase, request }: Extract<ReconcileStep, { type: 'call' }>,
): Promise<HookAnswer> {
  const { hookClient, hookMetrics } = deps;
  if (hookClient === undefined) throw new Error('a registration without a hook has no hook to call');
  const control = new AbortController();
  const inProgress: CallInProgress = { control, isSent: false };
  tracked.call = inProgress;
  // Not `AbortSignal.any`: the signal of the controller would keep every call in memory for as long as it lives.
  const abort = (): void => control.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const sent = (): void => {
    inProgress.isSent = true;
  };
  const call = (): Promise<HookAnswer> =>
    hookClient.call({ phase, request, instance: key, sent }, control.signal);
  try {
    signal.throwIfAborted();
    return await (hookMetrics === undefined ? call() : hookMetrics.measured(phase, call));
  } finally {
    signal.removeEventListener('abort', abort);
    tracked.call = undefined;
  }
}
