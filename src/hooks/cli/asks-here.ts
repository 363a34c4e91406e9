import type { HookRunSpec } from '#hooks/kinds/hook-run.ts';
import type { Clock } from '#base/time.ts';
import type { Impersonate } from '#loop/control-deps.ts';
import { askProvider } from '#hooks/controller/ask-provider.ts';
import type { AskMetric } from '#hooks/providers/provider.ts';
import type { ReadSecret } from '#hooks/call/secrets.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { systemRandom } from '#edge/random.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import type { OutgoingPolicy } from '#edge/outgoing/policy.ts';
import { readProvider } from '#hooks/read.ts';
import { ExitError } from '#command/exit.ts';
import { readReplies, replaying, type RecordedReply } from './fixture.ts';
import { jumpingClock } from './jumping-clock.ts';
import { recordedCluster } from './recorded-cluster.ts';

/** Calls providers without a cluster. */
export type Asks = {
  readonly ask: AskMetric;
  readonly clock: Clock;
  readonly goesOn: (calls: number) => boolean;
  [Symbol.asyncDispose](): Promise<void>;
};

/** With recorded replies no time passes, so a run without an end is stopped after this number of calls. */
const mostReplays = 100;

/** Calls real servers, including those on loopback addresses; or replays a recorded reply. */
export const asksHere = (fixture: string | undefined): Asks =>
  fixture === undefined ? asksServers({ allowLoopback: true }) : asksReplies(readReplies(fixture));

/** Calls real servers. */
export function asksServers(policy: OutgoingPolicy): Asks {
  const outgoing = createOutgoing({ policy, clock: systemClock });
  return {
    ask: asking(outgoing, systemClock, noCluster),
    clock: systemClock,
    goesOn: () => true,
    [Symbol.asyncDispose]: () => outgoing.close(),
  };
}

/** Refuses metrics whose provider needs a cluster. */
export function checkProviders(spec: HookRunSpec, isRecorded: boolean): void {
  for (const metric of spec.metrics ?? []) {
    const read = readProvider(metric);
    if (read.type === 'refused') continue;
    const { withoutCluster } = read.wire;
    if (withoutCluster === 'always' || (withoutCluster === 'fixture' && isRecorded)) continue;
    const choice = withoutCluster === 'fixture' ? ', give the object with --fixture,' : '';
    throw new ExitError(
      2,
      `metric ${metric.name} uses the provider ${read.provider.type}, which needs a cluster: choose another metric with --metric${choice} or use hook run`,
    );
  }
}

/** Replays recorded replies. */
export function asksReplies(replies: readonly RecordedReply[]): Asks {
  const clock = jumpingClock(systemClock);
  return {
    ask: asking(replaying(replies), clock, recordedCluster(replies)),
    clock,
    goesOn: (calls) => calls < Math.max(mostReplays, replies.length),
    async [Symbol.asyncDispose]() {
      await Promise.resolve();
    },
  };
}

const asking = (outgoing: Outgoing, clock: Clock, impersonate: Impersonate): AskMetric =>
  askProvider({
    outgoing,
    clock,
    impersonate,
    readSecret: noSecrets,
    hmac: hmacSha256Hex,
    random: systemRandom,
  });

const noSecrets: ReadSecret = async ({ name, key }) => ({
  type: 'missing',
  message: `key ${key} of Secret ${name}: there is no cluster to read it from`,
});

const noCluster: Impersonate = () => {
  throw new Error('there is no cluster');
};
