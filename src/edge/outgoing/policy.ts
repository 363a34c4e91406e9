import { isIP } from 'node:net';
import { deniedRanges, loopback, metadataNames } from './denied-by-default.ts';
import { contains, facesOf, ipBits, ipRange, isWithin, type IpBits, type IpRange } from './ip.ts';

/**
 * Who may be called. Names are exact or `*.suffix`. Denied wins over allowed; once anything is on an allow list,
 * what is on none is denied.
 */
export type OutgoingPolicy = {
  readonly allowHosts?: readonly string[];
  readonly denyHosts?: readonly string[];
  readonly allowCidrs?: readonly string[];
  readonly denyCidrs?: readonly string[];
  /** For setups where the authors of hooks also own the machine. */
  readonly allowLoopback?: boolean;
};

/** The reason of a refusal, to be appended to a name, or undefined when the call is allowed. */
export type PolicyRefusal = string | undefined;

export type Judge = {
  /** Before anything is looked up. */
  name(host: string): PolicyRefusal;
  /** An address that the host turned out to have. */
  address(host: string, address: string): PolicyRefusal;
};

/** The errors of a policy, with messages for its author. */
export function problemOfPolicy(policy: OutgoingPolicy): string | undefined {
  for (const entry of [...(policy.allowCidrs ?? []), ...(policy.denyCidrs ?? [])])
    if (ipRange(entry) === undefined)
      return `${JSON.stringify(entry)} is not a range of addresses: write it like 10.0.0.0/8, fd00::/8 or 10.1.2.3`;
  for (const entry of [...(policy.allowHosts ?? []), ...(policy.denyHosts ?? [])]) {
    if (isIP(entry) !== 0)
      return `${JSON.stringify(entry)} is an address, not a name: put it among the ranges of addresses`;
    if (!hostPattern.test(entry))
      return `${JSON.stringify(entry)} is not a host: write it like hooks.example.com or *.example.com, without scheme and port`;
  }
  return undefined;
}

const hostPattern = /^(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?:\.[A-Za-z0-9_-]+)*$/;

/** Compiles a policy. Throws on an invalid one. */
export function judgeBy(policy: OutgoingPolicy): Judge {
  const problem = problemOfPolicy(policy);
  if (problem !== undefined) throw new Error(`the policy for outgoing calls is wrong: ${problem}`);
  const rules: Rules = {
    allowHosts: (policy.allowHosts ?? []).map(plain),
    denyHosts: (policy.denyHosts ?? []).map(plain),
    allow: rangesOf(policy.allowCidrs ?? []),
    deny: rangesOf(policy.denyCidrs ?? []),
    builtin: policy.allowLoopback === true ? builtin.filter(({ what }) => what !== loopback) : builtin,
  };
  return {
    name: (host) => emptyLabel(host) ?? nameRefusal(rules, plain(host)),
    address: (host, address) => addressRefusal(rules, plain(host), address),
  };
}

type Named = { readonly what: string; readonly range: IpRange };
type Rules = {
  readonly allowHosts: readonly string[];
  readonly denyHosts: readonly string[];
  readonly allow: readonly IpRange[];
  readonly deny: readonly IpRange[];
  readonly builtin: readonly Named[];
};

const rangesOf = (texts: readonly string[]): readonly IpRange[] =>
  texts.map((text) => ipRange(text)).filter((range) => range !== undefined);

const builtin: readonly Named[] = deniedRanges.flatMap(({ what, ranges }) =>
  rangesOf(ranges).map((range) => ({ what, range })),
);

const byPolicy = 'which the policy for outgoing calls denies';

/** Resolvers disagree about such names, so no rule could be sure to match them. One dot at the end is the root. */
const emptyLabel = (host: string): PolicyRefusal =>
  host.startsWith('.') || host.includes('..') ? 'is not a host name: it has an empty label' : undefined;

function nameRefusal(rules: Rules, host: string): PolicyRefusal {
  if (matchesAny(rules.denyHosts, host)) return `is a host ${byPolicy}`;
  if (metadataNames.includes(host) && !rules.allowHosts.includes(host))
    return `is a name of cloud metadata, ${byPolicy} unless it lists this very name`;
  const isListed = rules.allowHosts.length === 0 || matchesAny(rules.allowHosts, host);
  if (isListed || rules.allow.length > 0) return undefined;
  return 'is not among the hosts that the policy for outgoing calls allows';
}

function addressRefusal(rules: Rules, host: string, address: string): PolicyRefusal {
  const bits = ipBits(address);
  if (bits === undefined) return `has the address ${JSON.stringify(address)}, which cannot be read`;
  const says = host === address ? 'is' : `has the address ${address}:`;
  for (const face of facesOf(bits)) {
    if (rules.deny.some((range) => contains(range, face))) return `${says} an address ${byPolicy}`;
    const denied = rules.builtin.find(({ range }) => contains(range, face));
    if (denied !== undefined && !isLifted(rules.allow, denied.range, face))
      return `${says} ${denied.what}, ${byPolicy} unless it lists that very address${hint(denied.what)}`;
  }
  const isOpen = rules.allowHosts.length === 0 && rules.allow.length === 0;
  if (isOpen || matchesAny(rules.allowHosts, host) || rules.allow.some((range) => contains(range, bits)))
    return undefined;
  return `${says} an address that the policy for outgoing calls does not allow`;
}

/** Only who names a denied range, or a part of it, means it: 0.0.0.0/0 does not. */
const isLifted = (allowed: readonly IpRange[], denied: IpRange, bits: IpBits): boolean =>
  allowed.some((range) => isWithin(range, denied) && contains(range, bits));

const hint = (what: string): string =>
  what === loopback ? ' (loopback is allowed in embedded mode and in hook test)' : '';

const plain = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '');

const matchesAny = (patterns: readonly string[], host: string): boolean =>
  patterns.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern));
