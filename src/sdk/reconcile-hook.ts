import { systemClock } from '#edge/clock.ts';
import type { Serve } from '#kube/http.ts';
import type { HookDefinition } from './hook-definition.ts';
import { logFailure } from './hook-log.ts';
import { hookServe } from './hook-serve.ts';
import { startHook, type HookServer, type ListenAt } from './start-hook.ts';

export type ReconcileHook = {
  /** Answers one request; for servers of one's own. */
  readonly serve: Serve;
  /** Serves on a port; 0 lets the system choose. */
  listen(at: ListenAt): Promise<HookServer>;
};

/** Makes a hook service out of what is to be done in each phase. */
export function defineReconcileHook(definition: HookDefinition): ReconcileHook {
  const { clock = systemClock, onError = logFailure } = definition;
  const serve = hookServe({ ...definition, clock, onError });
  return { serve, listen: (at) => startHook(serve, at) };
}
