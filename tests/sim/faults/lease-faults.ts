import type { Random } from '#base/random.ts';
import type { Clock } from '#base/time.ts';
import { requestFaults, type RequestFaults } from './request-faults.ts';

/** Faults of single requests for Leases. */
export function leaseFaults(random: Random, clock: Clock): RequestFaults {
  const faults = requestFaults(random, clock, ({ resource }) => resource.plural !== 'leases');
  let hasBegun = false;
  return {
    ...faults,
    begin(length, share) {
      hasBegun = true;
      faults.begin(length, share);
    },
    // In worlds without such faults not even the order of promises is another one.
    call: (call, go) => (hasBegun ? faults.call(call, go) : go()),
  };
}
