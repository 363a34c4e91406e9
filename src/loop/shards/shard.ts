import { hashText } from '#base/hash.ts';

/** A part of all objects. Every object belongs to exactly one of `count` shards, by its key. */
export type Shard = {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** Whether the object with this key belongs to it. */
  owns(key: string): boolean;
};

export const makeShard = (index: number, count: number): Shard => ({
  index,
  count,
  owns: (key) => shardOf(key, count) === index,
});

/** The shard of a key: by all bits of its hash, because names often differ in one digit only. */
export function shardOf(key: string, count: number): number {
  const hash = hashText(key);
  let mixed = Number.parseInt(hash.slice(0, 8), 16) ^ Number.parseInt(hash.slice(8), 16);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % count;
}

/** The name of the Lease of a shard: it contains the number of shards, so that two layouts never share a Lease. */
export const shardLeaseName = (lease: string, { index, count }: Pick<Shard, 'index' | 'count'>): string =>
  `${lease}-shard-${index}-of-${count}`;

/** The label of all Leases of one layout of shards; its value is the name of the Lease of the layout. */
export const shardLeaseLabel = 'boathook.dev/shards-of';
