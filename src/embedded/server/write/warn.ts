import type { Call } from '#embedded/server/request/call.ts';
import type { Stored } from '#embedded/server/store/stored.ts';

/** Adds the kind's warnings about an accepted object. */
export function warnOf(call: Call, stored: Stored): void {
  const warnings = call.resource.rules.warnings?.(stored.object) ?? [];
  call.warnings.push(...warnings);
}
