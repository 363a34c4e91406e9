import type { HookAnswer, ReconcileStep } from '#registrations/decide/cycle.ts';
import type { ReconcileContext } from './instance-deps.ts';

/** The instance was deleted during the call, so the reply is not needed. */
export class Superseded extends Error {
  constructor() {
    super('the instance was deleted meanwhile');
    this.name = 'Superseded';
  }
}

/** Calls the hook. Deleting the instance aborts the call. */
export async function callHook(
  { deps, key, tracked, signal }: ReconcileContext,
  { phase, request }: Extract<ReconcileStep, { type: 'call' }>,
): Promise<HookAnswer> {
  const { hookClient, hookMetrics } = deps;
  if (hookClient === undefined) throw new Error('a registration without a hook has no hook to call');
  const control = new AbortController();
  tracked.call = control;
  // Not `AbortSignal.any`: the signal of the controller would keep every call in memory for as long as it lives.
  const abort = (): void => control.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const call = (): Promise<HookAnswer> => hookClient.call({ phase, request, instance: key }, control.signal);
  try {
    signal.throwIfAborted();
    return await (hookMetrics === undefined ? call() : hookMetrics.measured(phase, call));
  } finally {
    signal.removeEventListener('abort', abort);
    tracked.call = undefined;
  }
}
