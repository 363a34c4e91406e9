import type { Diagnosis } from './diagnosis.ts';
import type { FixedAddress } from './hook-addresses.ts';
import type { Reach } from './reach.ts';

/** What was found about an address. */
export type ReachedAddress = { readonly address: FixedAddress; readonly reach: Reach };

/** Whether the services of hooks accept connections from this machine. */
export function checkHooks(reached: readonly ReachedAddress[]): Diagnosis {
  if (reached.length === 0) return { check: 'hooks', state: 'ok', message: 'No hook names a fixed address.' };
  const lost = reached.filter(({ reach }) => reach.type !== 'open');
  const [first] = lost;
  if (first === undefined)
    return {
      check: 'hooks',
      state: 'ok',
      message: `All ${reached.length} addresses of hooks accept connections.`,
    };
  const { address, reach } = first;
  const more = lost.length === 1 ? '' : ` So do ${lost.length - 1} more.`;
  return {
    check: 'hooks',
    state: 'warning',
    message: `${address.host}:${address.port} of ${address.named} cannot be reached from here: ${whyOf(reach)}.${more}`,
    remedy: lost.every(({ reach: { type } }) => type === 'unknown-name')
      ? 'Names of Services are known only inside the cluster: run the check in a pod.'
      : 'Start the service, or correct the address; a NetworkPolicy or firewall may be in the way.',
  };
}

const whyOf = (reach: Reach): string => (reach.type === 'closed' ? reach.why : 'its name is unknown');
