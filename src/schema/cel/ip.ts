import { isIpv4, isIpv6 } from '#kube/names.ts';
import { failed, type CelError, type CidrValue, type IpValue } from './value.ts';

const quoted = (text: string): string => JSON.stringify(text);

/** An address without zone that is not an IPv4 address in IPv6 clothing. */
export function parseIp(text: string): IpValue | CelError {
  if (isIpv4(text)) return { kind: 'ip', family: 4, bits: bitsOf4(text) };
  const [address = '', zone] = text.split('%');
  if (!isIpv6(address) || zone === '')
    return failed(`IP Address ${quoted(text)} parse error during conversion from string: ${reason(text)}`);
  if (zone !== undefined) return failed(`IP address ${quoted(text)} with zone value is not allowed`);
  const bits = bitsOf6(text);
  if (bits >> 32n === 0xffffn) return failed(`IPv4-mapped IPv6 address ${quoted(text)} is not allowed`);
  return { kind: 'ip', family: 6, bits };
}

/** Go's error text, for common mistakes. */
function reason(text: string): string {
  const parse = `ParseAddr(${quoted(text)})`;
  if (!/[.:]/.test(text)) return `${parse}: unable to parse IP`;
  if (text.includes(':')) return `${parse}: unable to parse IP`;
  const fields = text.split('.');
  if (fields.some((each) => /\D/.test(each)))
    return `${parse}: unexpected character (at ${quoted(badTail(text))})`;
  if (fields.includes('')) return `${parse}: IPv4 field must have at least one digit`;
  if (fields.some((each) => Number(each) > 255)) return `${parse}: IPv4 field has value >255`;
  if (fields.some((each) => /^0\d/.test(each))) return `${parse}: IPv4 field has octet with leading zero`;
  return fields.length > 4 ? `${parse}: IPv4 address too long` : `${parse}: IPv4 address too short`;
}

const badTail = (text: string): string => text.slice(Math.max(0, text.search(/[^0-9.]/)));

const bitsOf4 = (text: string): bigint =>
  text.split('.').reduce((bits, each) => (bits << 8n) | BigInt(each), 0n);

function bitsOf6(text: string): bigint {
  const cut = text.lastIndexOf(':') + 1;
  const last = text.slice(cut);
  const tail = last.includes('.') ? bitsOf4(last) : undefined;
  const hex =
    tail === undefined
      ? text
      : `${text.slice(0, cut)}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const [head = '', rest] = hex.split('::');
  const groups = (part: string): readonly string[] => (part === '' ? [] : part.split(':'));
  const left = groups(head);
  const right = rest === undefined ? [] : groups(rest);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].reduce((bits, each) => (bits << 16n) | BigInt(`0x${each}`), 0n);
}

/** The one canonical text of an address. */
export function formatIp({ family, bits }: IpValue): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 255n)).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  const runs = groups.map((_, i) => zerosFrom(groups, i));
  const longest = Math.max(...runs);
  if (longest < 2) return groups.join(':');
  const start = runs.indexOf(longest);
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + longest).join(':')}`;
}

function zerosFrom(groups: readonly string[], start: number): number {
  let count = 0;
  while (groups[start + count] === '0') count++;
  return count;
}

export function parseCidr(text: string): CidrValue | CelError {
  const wrong = (why: string): CelError =>
    failed(
      `network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix(${quoted(text)}): ${why}`,
    );
  const slash = text.lastIndexOf('/');
  if (slash < 0) return wrong("no '/'");
  const address = text.slice(0, slash);
  const digits = text.slice(slash + 1);
  const ip = parseIp(address);
  if (ip.kind === 'error') {
    const mapped = ip.message.startsWith('IPv4-mapped');
    return mapped
      ? failed(
          `network address parse error during conversion from string: IPv4-mapped IPv6 address ${quoted(text)} is not allowed`,
        )
      : wrong(reason(address));
  }
  if (!/^(?:0|[1-9]\d{0,2})$/.test(digits)) return wrong(`bad bits after slash: ${quoted(digits)}`);
  const prefix = Number(digits);
  return prefix > widthOf(ip) ? wrong('prefix length out of range') : { kind: 'cidr', ip, prefix };
}

export const widthOf = ({ family }: IpValue): number => (family === 4 ? 32 : 128);

/** The address with everything behind the prefix set to zero. */
export function maskedIp(ip: IpValue, prefix: number): IpValue {
  const rest = BigInt(widthOf(ip) - prefix);
  return { ...ip, bits: (ip.bits >> rest) << rest };
}
