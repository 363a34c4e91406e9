import { systemClock } from '#edge/clock.ts';
import type { Serve } from '#kube/http.ts';
import type { HookDefinition, PayloadForm } from './hook-definition.ts';
import { logFailure } from './hook-log.ts';
import { hookServe } from './hook-serve.ts';
import { startHook, type HookServer, type ListenAt } from './start-hook.ts';

export type ReconcileHook = {
  /** The form of the requests that the hook handles. */
  readonly payload: PayloadForm;
  /** Handles one request, for use in your own server. */
  readonly serve: Serve;
  /** Serves on a port; 0 selects a free one. */
  listen(at: ListenAt): Promise<HookServer>;
};

/** Makes a hook service from a handler for each phase. */
export function defineReconcileHook<Form extends PayloadForm = 'reference'>(
  definition: HookDefinition<Form>,
): ReconcileHook {
  const { clock = systemClock, onError = logFailure } = definition;
  const payload = definition.payload ?? 'reference';
  // Requests are validated before a handler is called.
  const serve = hookServe({ ...(definition as HookDefinition<PayloadForm>), clock, onError });
  return { payload, serve, listen: (at) => startHook(serve, at) };
}
