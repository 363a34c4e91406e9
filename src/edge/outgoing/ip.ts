import { isIPv4, isIPv6 } from 'node:net';

/** All addresses as 128 bits: an IPv4 address is its mapped form, so `::ffff:10.0.0.1` and `10.0.0.1` are one. */
export type IpBits = bigint;
/** So many leading bits are these. */
export type IpRange = { readonly bits: IpBits; readonly length: number };

const mapped = 0xffffn << 32n;

export function ipBits(text: string): IpBits | undefined {
  if (isIPv4(text)) return mapped | v4Bits(text);
  const [address = ''] = text.split('%');
  return isIPv6(address) ? v6Bits(address) : undefined;
}

/** Reads `10.0.0.0/8`, `fd00::/8`, and a lone address as the range of just it. */
export function ipRange(text: string): IpRange | undefined {
  const [address = '', digits, more] = text.split('/');
  const bits = address.includes('%') ? undefined : ipBits(address);
  if (bits === undefined || more !== undefined) return undefined;
  if (digits === undefined) return { bits, length: 128 };
  const most = isIPv4(address) ? 32 : 128;
  if (!/^(?:0|[1-9]\d{0,2})$/.test(digits) || Number(digits) > most) return undefined;
  const length = Number(digits) + 128 - most;
  return { bits: leading(bits, length), length };
}

export const contains = (range: IpRange, bits: IpBits): boolean => leading(bits, range.length) === range.bits;

export const isWithin = (inner: IpRange, outer: IpRange): boolean =>
  inner.length >= outer.length && contains(outer, inner.bits);

/** Where IPv6 carries an IPv4 address inside, and how far from the end. */
const carriers: readonly { readonly range: IpRange; readonly shift: bigint }[] = [
  // NAT64, the deprecated compatible form, 6to4.
  { range: { bits: 0x64_ff9bn << 96n, length: 96 }, shift: 0n },
  { range: { bits: 0n, length: 96 }, shift: 0n },
  { range: { bits: 0x2002n << 112n, length: 16 }, shift: 80n },
];

/** The address, and the IPv4 address that a gateway would make of it. */
export function facesOf(bits: IpBits): readonly IpBits[] {
  // The unspecified address and the loopback look like compatible ones and are not.
  if (bits <= 1n) return [bits];
  const carried = carriers.filter(({ range }) => contains(range, bits));
  return [bits, ...carried.map(({ shift }) => mapped | ((bits >> shift) & 0xffff_ffffn))];
}

function leading(bits: IpBits, length: number): IpBits {
  const rest = BigInt(128 - length);
  return (bits >> rest) << rest;
}

const v4Bits = (text: string): IpBits =>
  text.split('.').reduce((bits, each) => (bits << 8n) | BigInt(each), 0n);

function v6Bits(text: string): IpBits {
  const cut = text.lastIndexOf(':') + 1;
  const last = text.slice(cut);
  const tail = last.includes('.') ? v4Bits(last) : undefined;
  const hex =
    tail === undefined
      ? text
      : `${text.slice(0, cut)}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const [left = [], right = []] = hex
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => BigInt(`0x${group}`))));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0n);
  return [...left, ...zeros, ...right].reduce((bits, group) => (bits << 16n) | group, 0n);
}
