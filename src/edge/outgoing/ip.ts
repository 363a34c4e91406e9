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

/** Reads the IPv4 address that an IPv6 address carries; undefined where it is not of that form. */
type Reader = (bits: IpBits) => IpBits | undefined;

const ones = (count: bigint): bigint => (1n << count) - 1n;
const tail: (bits: IpBits) => IpBits = (bits) => bits & 0xffff_ffffn;

const carriers: readonly { readonly range: IpRange; readonly read: Reader }[] = [
  // NAT64, the deprecated compatible form, the translated form (RFC 2765).
  { range: { bits: 0x64_ff9bn << 96n, length: 96 }, read: tail },
  { range: { bits: 0n, length: 96 }, read: tail },
  { range: { bits: 0xffffn << 48n, length: 96 }, read: tail },
  // 6to4; Teredo, where the address of the client is inverted.
  { range: { bits: 0x2002n << 112n, length: 16 }, read: (bits) => tail(bits >> 80n) },
  { range: { bits: 0x2001_0000n << 96n, length: 32 }, read: (bits) => tail(~bits) },
  // A local NAT64 (RFC 8215) has a prefix of 48, 56, 64 or 96 bits; which one is not known here.
  ...[48, 56, 64, 96].map((prefix) => ({
    range: { bits: 0x64_ff9b_0001n << 80n, length: 48 },
    read: embedded(prefix),
  })),
  // ISATAP, behind any prefix.
  { range: { bits: 0n, length: 0 }, read: isatap },
];

/** RFC 6052: behind the prefix, but not in bits 64 to 71, which are zero; all bits behind it are zero too. */
function embedded(prefix: number): Reader {
  const high = BigInt(Math.max(0, 64 - prefix));
  const low = 32n - high;
  const rest = prefix === 96 ? 0n : 56n - low;
  const zeros = prefix === 96 ? 0n : (0xffn << 56n) | ones(rest);
  return (bits) => {
    if ((bits & zeros) !== 0n) return undefined;
    const address = (((bits >> 64n) & ones(high)) << low) | ((bits >> rest) & ones(low));
    // Nobody is at 0.0.0.0/8: such a reading is that of another prefix.
    return address >> 24n === 0n ? undefined : address;
  };
}

function isatap(bits: IpBits): IpBits | undefined {
  const id = tail(bits >> 32n);
  return id === 0x5efen || id === 0x200_5efen ? tail(bits) : undefined;
}

/** The address, and the IPv4 addresses that a gateway could make of it. */
export function facesOf(bits: IpBits): readonly IpBits[] {
  // The unspecified address and the loopback look like compatible ones and are not.
  if (bits <= 1n) return [bits];
  const carried = carriers.flatMap(({ range, read }) => {
    const address = contains(range, bits) ? read(bits) : undefined;
    return address === undefined ? [] : [mapped | address];
  });
  return [bits, ...carried];
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
