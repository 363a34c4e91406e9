import { numberAt, textAt } from '#base/json.ts';
import { later, parseTime, seconds, type Instant } from '#base/time.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { holderOf } from '#loop/lease.ts';
import { shardsOfHolder } from '#loop/shards/layout-record.ts';
import { shardLeaseName } from '#loop/shards/shard.ts';
import type { Diagnosis } from './diagnosis.ts';

/** How many shards the controllers share; undefined: one of them is the leader. */
export const shardsIn = (lease: KubeObject | undefined): number | undefined =>
  lease === undefined ? undefined : shardsOfHolder(holderOf(lease));

type Asked = { readonly lease: string; readonly namespace: string; readonly now: Instant };

/** Who holds which shard. `now`: by the clock of the server. */
export function checkShards(
  leases: readonly KubeObject[],
  count: number,
  { lease, namespace, now }: Asked,
): Diagnosis {
  const byName = new Map(leases.map((each) => [nameOf(each), each]));
  const holders = Array.from({ length: count }, (_, index) =>
    currentHolder(byName.get(shardLeaseName(lease, { index, count })), now),
  );
  const free = holders.flatMap((holder, index) => (holder === '' ? [index] : []));
  const names = [...new Set(holders)].filter((holder) => holder !== '').toSorted();
  const shares = names.map((name) => {
    const own = holders.flatMap((holder, index) => (holder === name ? [index] : []));
    return `${name} holds ${own.join(', ')}`;
  });
  if (free.length === 0)
    return { check: 'leader', state: 'ok', message: `Of ${count} shards ${shares.join('; ')}.` };
  return {
    check: 'leader',
    state: 'failed',
    message: `Nobody holds shard ${free.join(', ')} of ${count}${shares.length === 0 ? '' : `; ${shares.join('; ')}`}.`,
    remedy: `See why the pods do not run: kubectl -n ${namespace} get pods, then logs.`,
  };
}

/** '' when nobody holds the Lease, or its holder does not renew it. */
function currentHolder(lease: KubeObject | undefined, now: Instant): string {
  const renewed = parseTime(textAt(lease, 'spec', 'renewTime') ?? '');
  const duration = seconds(numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 15);
  if (lease === undefined || renewed === undefined || now > later(renewed, duration)) return '';
  return holderOf(lease);
}
