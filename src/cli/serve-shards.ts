import { reportTo } from '#command/command-log.ts';
import { processMetrics } from '#command/process-metrics.ts';
import { systemClock } from '#edge/clock.ts';
import { limitHeapGrowth } from '#edge/heap-growth.ts';
import { systemRandom } from '#edge/random.ts';
import type { Term } from '#loop/lease-term.ts';
import { runShards, ShardsLost } from '#loop/shards/run-shards.ts';
import type { Shard } from '#loop/shards/shard.ts';
import { whenAborted } from '#loop/when-aborted.ts';
import {
  heapGrowthPercent,
  leaseLost,
  lostFor,
  notLookedYet,
  openParts,
  startTerm,
  type ControllerParts,
  type Serving,
} from './serve-controllers.ts';
import { scopeOf } from './shard-objects.ts';

/** Runs a set of controllers for each shard that this process holds, each with caches of its own. */
export async function serveShards(serving: Serving, signal: AbortSignal): Promise<void> {
  const { cluster, flags } = serving;
  const { lease, identity, log, times, shards } = flags;
  const parts = openParts(serving);
  const held = heldShards(serving);
  log.say(
    `${identity} takes its share of ${shards} shards by the Lease ${lease.namespace}/${lease.name} on ${cluster.server}`,
  );
  try {
    await runShards(
      {
        client: cluster.client,
        clock: systemClock,
        random: systemRandom,
        lease,
        identity,
        shards,
        ...times,
        report: reportTo(log),
        lead: (shard, term) =>
          Promise.race([leadShard(serving, { shard, term, parts, held }), lostFor(term, signal)]),
      },
      signal,
    );
  } catch (error) {
    if (error instanceof ShardsLost) throw leaseLost(flags, error);
    throw error;
  } finally {
    await parts.logs.close();
  }
}

type HeldShards = {
  add(index: number): void;
  /** Its controllers have looked at everything. */
  running(index: number): void;
  delete(index: number): void;
};

/** Which shards this process works on, as metrics and `/readyz` show it. */
function heldShards({ metrics, state, flags: { shards } }: Serving): HeldShards {
  const all = new Set<number>();
  const starting = new Set<number>();
  const show = (): void => {
    metrics?.gauge(processMetrics.leader).set({}, all.size / shards);
    metrics?.gauge(processMetrics.shards).set({}, all.size);
    state.waitsFor = starting.size > 0 ? notLookedYet : undefined;
  };
  show();
  return {
    add(index) {
      all.add(index);
      starting.add(index);
      show();
    },
    running(index) {
      starting.delete(index);
      show();
    },
    delete(index) {
      all.delete(index);
      starting.delete(index);
      show();
    },
  };
}

type LedShard = {
  readonly shard: Shard;
  readonly term: Term;
  readonly parts: ControllerParts;
  readonly held: HeldShards;
};

/** Runs the controllers of a shard until it is given up or lost. */
async function leadShard(serving: Serving, { shard, term, parts, held }: LedShard): Promise<void> {
  const { flags, cluster } = serving;
  const { signal } = term;
  held.add(shard.index);
  const scope = scopeOf(shard, flags.names);
  const logScope = { names: scope.names, shard };
  // The logs of the process outlive the term, so they are served with a client of the process.
  const logs = { begin: (): void => parts.logs.begin(cluster.client, logScope) };
  const control = startTerm(serving, { term, parts, scope, logs });
  const ended = whenAborted(signal);
  await Promise.race([control.synced, ended]);
  if (!signal.aborted) {
    held.running(shard.index);
    limitHeapGrowth(heapGrowthPercent);
    flags.log.say(`running shard ${shard.index} of ${shard.count} on ${cluster.server}`);
  }
  await ended;
  held.delete(shard.index);
  await control.close();
}
