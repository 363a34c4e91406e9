import type { Random } from '#base/random.ts';

/** A range of IPv4 addresses as numbers, without its first and last address. */
export type AddressRange = { readonly first: number; readonly count: number };

export function addressesOf(cidr: string): AddressRange {
  const [address = '', bits = '32'] = cidr.split('/');
  const size = 2 ** (32 - Number(bits));
  return { first: Math.floor(numberOf(address) / size) * size + 1, count: Math.max(size - 2, 0) };
}

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);

const addressOf = (number: number): string =>
  [16_777_216, 65_536, 256, 1].map((unit) => Math.floor(number / unit) % 256).join('.');

export function inRange(range: AddressRange, address: string): boolean {
  const number = numberOf(address);
  return number >= range.first && number < range.first + range.count;
}

/** A free address, looked for from a random place on; undefined when all are taken. */
export function pickAddress(
  range: AddressRange,
  random: Random,
  isTaken: (address: string) => boolean,
): string | undefined {
  const start = Math.floor(random.next() * range.count);
  for (let i = 0; i < range.count; i++) {
    const address = addressOf(range.first + ((start + i) % range.count));
    if (!isTaken(address)) return address;
  }
  return undefined;
}
