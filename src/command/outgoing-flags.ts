import { isIP } from 'node:net';
import { problemOfPolicy, type OutgoingPolicy } from '#edge/outgoing/policy.ts';
import { ExitError } from './exit.ts';

/** Which hosts hooks may call, from `--outgoing-allow` and `--outgoing-deny`: names, addresses and ranges of addresses. */
export function outgoingPolicy(
  given: Readonly<Record<string, unknown>>,
  { allowLoopback }: { readonly allowLoopback: boolean },
): OutgoingPolicy {
  const allowed = sorted(given['outgoingAllow']);
  const denied = sorted(given['outgoingDeny']);
  const policy: OutgoingPolicy = {
    allowHosts: allowed.hosts,
    allowCidrs: allowed.cidrs,
    denyHosts: denied.hosts,
    denyCidrs: denied.cidrs,
    allowLoopback,
  };
  const problem = problemOfPolicy(policy);
  if (problem !== undefined) throw new ExitError(2, `--outgoing-allow or --outgoing-deny: ${problem}`);
  return policy;
}

function sorted(given: unknown): { readonly hosts: readonly string[]; readonly cidrs: readonly string[] } {
  const entries = Array.isArray(given) ? given.map(String) : [];
  const isAddress = (entry: string): boolean => entry.includes('/') || isIP(entry) !== 0;
  return {
    hosts: entries.filter((entry) => !isAddress(entry)),
    cidrs: entries.filter((entry) => isAddress(entry)),
  };
}
