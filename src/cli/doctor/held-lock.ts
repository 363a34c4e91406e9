import { numberAt, textAt, type Json } from '#base/json.ts';
import { later, parseTime, seconds, type Instant } from '#base/time.ts';

/** The holder of a lock that is still renewed; undefined: nobody leads. `lock`: the spec of a Lease, or an older record. */
export function holderOf(lock: Json | undefined, now: Instant): string | undefined {
  const holder = textAt(lock, 'holderIdentity') ?? '';
  const renewed = parseTime(textAt(lock, 'renewTime') ?? '');
  const duration = seconds(numberAt(lock, 'leaseDurationSeconds') ?? 15);
  return holder !== '' && renewed !== undefined && now <= later(renewed, duration) ? holder : undefined;
}
