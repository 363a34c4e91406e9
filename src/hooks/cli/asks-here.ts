import type { HookRunSpec } from '#hooks/kinds/hook-run.ts';
import type { Clock } from '#base/time.ts';
import type { Impersonate } from '#loop/control-deps.ts';
import { askProvider } from '#hooks/controller/ask-provider.ts';
import type { Ask } from '#hooks/providers/provider.ts';
import { kubernetesProvider } from '#hooks/providers/kubernetes/kubernetes.ts';
import { prometheusProvider } from '#hooks/providers/prometheus/prometheus.ts';
import type { ReadSecret } from '#hooks/call/secrets.ts';
import { webProvider } from '#hooks/providers/web/web.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { systemRandom } from '#edge/random.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import { ExitError } from '#command/exit.ts';
import { readReplies, replaying, type Reply } from './fixture.ts';
import { jumpingClock } from './jumping-clock.ts';
import { recordedCluster } from './recorded-cluster.ts';

/** Whom hooks can ask without a cluster. */
export type Asks = {
  readonly ask: Ask;
  readonly clock: Clock;
  readonly goesOn: (calls: number) => boolean;
  [Symbol.asyncDispose](): Promise<void>;
};

/** On a recorded reply time jumps, so a run without an end must be given one. */
const mostReplays = 100;

/** The world outside, the loopback included, since who tries a hook owns the machine; or a recorded reply. */
export function asksHere(fixture: string | undefined): Asks {
  if (fixture !== undefined) return recorded(readReplies(fixture));
  const outgoing = createOutgoing({ policy: { allowLoopback: true }, clock: systemClock });
  return {
    ask: asking(outgoing, systemClock, noCluster),
    clock: systemClock,
    goesOn: () => true,
    [Symbol.asyncDispose]: () => outgoing.close(),
  };
}

/** Refuses what only a cluster can answer. */
export function checkProviders(spec: HookRunSpec, isRecorded: boolean): void {
  for (const { name, provider } of spec.metrics ?? []) {
    const alone = provider.job !== undefined ? 'job' : provider.machine && 'machine';
    const needy = alone ?? (provider.kubernetes && !isRecorded && 'kubernetes');
    if (needy === undefined || needy === false) continue;
    const choice = needy !== 'kubernetes' ? '' : ', give the object with --fixture,';
    throw new ExitError(
      2,
      `metric ${name} asks ${needy}, which needs a cluster: choose another with --metric${choice} or use hook run`,
    );
  }
}

function recorded(replies: readonly Reply[]): Asks {
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

function asking(outgoing: Outgoing, clock: Clock, objects: Impersonate): Ask {
  const noJob: Ask = async () => ({ type: 'error', message: 'a Job needs a cluster', evidence: {} });
  const noMachine: Ask = async () => ({ type: 'error', message: 'a machine needs a cluster', evidence: {} });
  return askProvider({
    web: webProvider({ outgoing, readSecret: noSecrets, hmac: hmacSha256Hex, clock, random: systemRandom }),
    prometheus: prometheusProvider({ outgoing, readSecret: noSecrets, clock }),
    kubernetes: kubernetesProvider({ impersonate: objects, clock }),
    job: noJob,
    machine: noMachine,
  });
}

const noSecrets: ReadSecret = async ({ name, key }) => ({
  type: 'missing',
  message: `key ${key} of Secret ${name}: there is no cluster to read it from`,
});

const noCluster: Impersonate = () => {
  throw new Error('there is no cluster');
};
