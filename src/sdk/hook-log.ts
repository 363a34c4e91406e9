import type { ReconcileRequest } from '#registrations/kinds/hook-protocol.ts';
import { systemClock } from '#edge/clock.ts';
import { createLog } from '#edge/log.ts';

const log = createLog({ level: 'info', format: 'text', clock: systemClock });

/** Logs why a handler failed, for the author of the hook. */
export function logFailure(error: unknown, { phase, object }: ReconcileRequest): void {
  log.error(`the hook failed in ${phase}`, {
    instance: `${object.namespace}/${object.name}`,
    error: textOf(error),
  });
}

export function logBug(error: unknown): void {
  log.error('the hook server failed', { error: textOf(error) });
}

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
