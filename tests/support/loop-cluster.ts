import { instant, millis, parseTime, type Millis } from '#base/time.ts';
import type { HistoryLimits } from '#embedded/server/store/history.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#kube/resource.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { manualClock, type ManualClock } from '#edge/testing/manual-clock.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Serve } from '#kube/http.ts';
import { turn } from './turn.ts';
import { openWorld } from './world.ts';

export { turn } from './turn.ts';

export { never } from './world.ts';
export const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };

/** A control plane on a clock that stands still, and a client whose connections can be made to fail. */
export type LoopCluster = AsyncDisposable & {
  readonly clock: ManualClock;
  readonly serve: Serve;
  /** Nothing happens to this one. */
  readonly client: KubeClient;
  /** Suffers what is done to it below. */
  readonly frail: KubeClient;
  /** Every open connection of the frail client breaks. */
  drop(): void;
  /** The next requests of the frail client are answered 500. */
  fail(count: number): void;
  /** Moves time by a second a turn until something is true. */
  until(isTrue: () => boolean, step?: Millis): Promise<void>;
};

export type LoopClusterOptions = {
  readonly history?: HistoryLimits;
  readonly pageSize?: number;
};

export async function openLoopCluster(options: LoopClusterOptions = {}): Promise<LoopCluster> {
  const clock = manualClock(parseTime('2026-05-04T03:02:01Z') ?? instant(0));
  const base = await openWorld({
    clock,
    seed: 7,
    report: () => undefined,
    ...(options.history && { history: options.history }),
  });
  const { direct } = base;
  const faults = frailTransport(direct);
  const clientOf = (transport: Transport): KubeClient =>
    createClient({ transport, clock, userAgent: 'loop-test', pageSize: options.pageSize ?? 500 });
  return {
    clock,
    serve: base.embedded.server.serve,
    client: clientOf(direct),
    frail: clientOf(faults.transport),
    drop: () => faults.drop(),
    fail: (count) => faults.fail(count),
    async until(isTrue, step = millis(1000)) {
      for (let i = 0; !isTrue(); i += 1) {
        if (i > 2000) throw new Error('it never became true');
        clock.advance(step);
        await turn();
      }
    },
    [Symbol.asyncDispose]: () => base[Symbol.asyncDispose](),
  };
}

function frailTransport(direct: Transport): {
  readonly transport: Transport;
  drop(): void;
  fail(count: number): void;
} {
  let line = new AbortController();
  let failing = 0;
  const broken = JSON.stringify({ kind: 'Status', code: 500, message: 'no answer today' });
  return {
    transport: (request) => {
      if (failing > 0) {
        failing -= 1;
        return Promise.resolve({
          status: 500,
          headers: {},
          text: () => Promise.resolve(broken),
          lines: () => {
            throw new Error('not a stream');
          },
        });
      }
      return direct({ ...request, signal: AbortSignal.any([request.signal, line.signal]) });
    },
    drop() {
      line.abort(new Unavailable('The connection broke.'));
      line = new AbortController();
    },
    fail: (count) => void (failing += count),
  };
}

export const configMap = (name: string, data: KubeObject = {}, namespace = 'default'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});
