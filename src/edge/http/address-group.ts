import { isIPv6 } from 'node:net';

/** The owner of an address: an IPv6 client usually has the whole /64. */
export function addressGroup(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
