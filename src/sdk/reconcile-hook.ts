import { systemClock } from '#edge/clock.ts';
import type { Serve } from '#kube/http.ts';
import type { HookDefinition, PayloadForm } from './hook-definition.ts';
import { logFailure } from './hook-log.ts';
import { hookServe } from './hook-serve.ts';
import { startHook, type HookServer, type ListenAt } from './start-hook.ts';

export type ReconcileHook = {
  /** The form of requests that it is made for. */
  readonly payload: PayloadForm;
  /** Answers one request; for servers of one's own. */
  readonly serve: Serve;
  /** Serves on a port; 0 lets the system choose. */
  listen(at: ListenAt): Promise<HookServer>;
};

/** Makes a hook service out of what is to be done in each phase. */
export function defineReconcileHook<Form extends PayloadForm = 'reference'>(
  definition: HookDefinition<Form>,
): ReconcileHook {
  const { clock = systemClock, onError = logFailure } = definition;
  const payload = definition.payload ?? 'reference';
  // What each handler takes is checked before it is called.
  const serve = hookServe({ ...(definition as HookDefinition<PayloadForm>), clock, onError });
  return { payload, serve, listen: (at) => startHook(serve, at) };
}
