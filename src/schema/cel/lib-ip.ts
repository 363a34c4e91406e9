import { formatIp, maskedIp, parseCidr, parseIp, widthOf } from './ip.ts';
import type { OverloadRow } from './overload.ts';
import { isError, type CidrValue, type IpValue, type CelValue } from './value.ts';

/** Whether the leading bits of an address are these. */
const startsWith = ({ bits, ...ip }: IpValue, prefix: bigint, length: number): boolean =>
  bits >> BigInt(widthOf({ bits, ...ip }) - length) === prefix;

const either =
  (v4: (ip: IpValue) => boolean, v6: (ip: IpValue) => boolean) =>
  (ip: IpValue): boolean =>
    ip.family === 4 ? v4(ip) : v6(ip);

const isUnspecified = (ip: IpValue): boolean => ip.bits === 0n;
const isLoopback = either(
  (ip) => startsWith(ip, 127n, 8),
  (ip) => ip.bits === 1n,
);
const isLinkLocalUnicast = either(
  (ip) => startsWith(ip, 0xa9fen, 16),
  (ip) => startsWith(ip, 0x3fan, 10),
);
const isMulticast = either(
  (ip) => startsWith(ip, 0xen, 4),
  (ip) => startsWith(ip, 0xffn, 8),
);
const isLinkLocalMulticast = either(
  (ip) => startsWith(ip, 0xe00000n, 24),
  (ip) => startsWith(ip, 0xffn, 8) && ((ip.bits >> 112n) & 15n) === 2n,
);
const isGlobalUnicast = (ip: IpValue): boolean =>
  !isUnspecified(ip) &&
  !(ip.family === 4 && ip.bits === 0xffff_ffffn) &&
  ![isLoopback, isLinkLocalUnicast, isMulticast].some((test) => test(ip));

function isCanonical(text: string): CelValue {
  const ip = parseIp(text);
  return ip.kind === 'error' ? ip : formatIp(ip) === text;
}

export const addresses: readonly OverloadRow[] = [
  ['ip(string): IP', parseIp],
  ['isIP(string): bool', (text: string) => !isError(parseIp(text))],
  ['#ip.isCanonical(string): bool', isCanonical],
  ['IP.family(): int', (ip: IpValue) => BigInt(ip.family)],
  ['IP.isUnspecified(): bool', isUnspecified],
  ['IP.isLoopback(): bool', isLoopback],
  ['IP.isLinkLocalMulticast(): bool', isLinkLocalMulticast],
  ['IP.isLinkLocalUnicast(): bool', isLinkLocalUnicast],
  ['IP.isGlobalUnicast(): bool', isGlobalUnicast],
  ['string(IP): string', formatIp],
];

function containsIp({ ip, prefix }: CidrValue, other: IpValue): boolean {
  return ip.family === other.family && maskedIp(ip, prefix).bits === maskedIp(other, prefix).bits;
}

const containsCidr = (outer: CidrValue, inner: CidrValue): boolean =>
  outer.prefix <= inner.prefix && containsIp(outer, inner.ip);

/** The same with the argument still a text. */
const parsing =
  <T extends CelValue>(
    parse: (text: string) => T,
    test: (cidr: CidrValue, other: Exclude<T, { kind: 'error' }>) => boolean,
  ) =>
  (cidr: CidrValue, text: string): CelValue => {
    const other = parse(text);
    return isError(other) ? other : test(cidr, other as Exclude<T, { kind: 'error' }>);
  };

export const networks: readonly OverloadRow[] = [
  ['cidr(string): CIDR', parseCidr],
  ['isCIDR(string): bool', (text: string) => !isError(parseCidr(text))],
  ['CIDR.containsIP(string): bool', parsing(parseIp, containsIp)],
  ['CIDR.containsIP(IP): bool', containsIp],
  ['CIDR.containsCIDR(string): bool', parsing(parseCidr, containsCidr)],
  ['CIDR.containsCIDR(CIDR): bool', containsCidr],
  ['CIDR.ip(): IP', ({ ip }: CidrValue) => ip],
  ['CIDR.prefixLength(): int', ({ prefix }: CidrValue) => BigInt(prefix)],
  [
    'CIDR.masked(): CIDR',
    ({ ip, prefix }: CidrValue) => ({ kind: 'cidr', ip: maskedIp(ip, prefix), prefix }),
  ],
  ['string(CIDR): string', ({ ip, prefix }: CidrValue) => `${formatIp(ip)}/${prefix}`],
];
