import type { Call } from '#embedded/server/request/call.ts';
import type { Stored } from '#embedded/server/store/stored.ts';

/** Adds what the kind has to say about an object that was accepted all the same. */
export function warnOf(call: Call, stored: Stored): void {
  const warnings = call.resource.rules.warnings?.(stored.object) ?? [];
  call.warnings.push(...warnings);
}
