import { ExitError } from './exit.ts';

/** More would only cost requests: each shard has a Lease that is renewed every two seconds. */
export const mostShards = 64;

/** The number of shards that a flag `--shards` gives. */
export function shardsOf(text: string): number {
  const count = Number(text);
  if (/^[1-9]\d*$/.test(text) && count <= mostShards) return count;
  throw new ExitError(
    2,
    `--shards ${text} is not a number of shards: write a whole number from 1 to ${mostShards}`,
  );
}
