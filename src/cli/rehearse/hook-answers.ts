import { listAt, textAt } from '#base/json.ts';
import { millis } from '#base/time.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import type { ReadSecret } from '#hooks/call/secrets.ts';
import { askProvider } from '#hooks/controller/ask-provider.ts';
import { secretReader } from '#hooks/controller/read-secret.ts';
import { replaying, type RecordedReply } from '#hooks/cli/fixture.ts';
import { recordedCluster } from '#hooks/cli/recorded-cluster.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import type { AskMetric, MetricCall } from '#hooks/providers/provider.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { originOf } from '#releases/model/run-labels.ts';

/** What the hooks of a HookTemplate return in a rehearsal. */
export type RehearsedAnswer =
  | { readonly type: 'recorded'; readonly replies: readonly RecordedReply[] }
  /** So many calls succeed, all later ones fail. */
  | { readonly type: 'fail-after'; readonly calls: number }
  | { readonly type: 'pass' };

export type RehearsedAnswers = {
  readonly byTemplate: ReadonlyMap<string, RehearsedAnswer>;
  /** Of templates without an answer. */
  readonly others: 'pass' | 'live';
  readonly workload: KubeObject;
};

/** Calls the providers of a rehearsal: recorded replies and decided verdicts, or, if wanted, the real servers. */
export function rehearsedAsk(deps: ControlDeps, answers: RehearsedAnswers): AskMetric {
  const live = askProvider({ ...deps, readSecret: secretReader(deps.client) });
  const asks = new Map([...answers.byTemplate].map(([name, answer]) => [name, askOf(deps, answer)]));
  const others = answers.others === 'live' ? live : always('Successful', 'assumed to pass');
  return async (call, signal) => {
    const template = await templateOfCall(deps, answers.workload, call, signal);
    return (asks.get(template) ?? others)(call, signal);
  };
}

/** Calls of providers that return this answer. */
export function askOf(deps: ControlDeps, answer: RehearsedAnswer): AskMetric {
  switch (answer.type) {
    case 'pass':
      return always('Successful', 'given by --hook');
    case 'fail-after':
      return failAfter(answer.calls);
    case 'recorded':
      return askProvider({
        ...deps,
        outgoing: afterLatency(replaying(answer.replies), deps),
        impersonate: recordedCluster(answer.replies),
        readSecret: orStandIn(secretReader(deps.client)),
      });
  }
}

/** A recorded reply does not depend on the Secret with which it was asked for. */
const orStandIn =
  (read: ReadSecret): ReadSecret =>
  async (at, signal) => {
    const found = await read(at, signal);
    return found.type === 'found' ? found : { type: 'found', value: 'unknown-in-a-rehearsal' };
  };

const verdict = (phase: 'Successful' | 'Failed', message: string): ProviderReading => ({
  type: 'verdict',
  phase,
  message,
  evidence: {},
});

/** Every call comes to this verdict. */
export const always =
  (phase: 'Successful' | 'Failed', message: string): AskMetric =>
  () =>
    Promise.resolve(verdict(phase, message));

function failAfter(calls: number): AskMetric {
  let made = 0;
  return () => {
    made += 1;
    return Promise.resolve(
      made <= calls
        ? verdict('Successful', `call ${made} of ${calls} that pass, by --hook`)
        : verdict('Failed', `call ${made} fails, by --hook`),
    );
  };
}

/** A recorded reply takes the time that it took. */
const afterLatency =
  (outgoing: Outgoing, { clock }: Pick<ControlDeps, 'clock'>): Outgoing =>
  async (request, signal) => {
    const reply = await outgoing(request, signal);
    if (reply.latency > 0) await clock.sleep(millis(reply.latency), signal);
    return reply;
  };

/** The HookTemplate that a HookRun was made of, by the place of its hook in the workload. */
async function templateOfCall(
  { client }: Pick<ControlDeps, 'client'>,
  workload: KubeObject,
  { namespace, run }: MetricCall,
  signal: AbortSignal,
): Promise<string> {
  const found = await client.get(hookRuns, { namespace, name: run.name }, signal);
  return found.type === 'ok' ? templateOfRun(workload, found.object) : '';
}

export function templateOfRun(workload: KubeObject, run: KubeObject): string {
  const { point, step } = originOf(run);
  const ofStrategy = (strategy: string): string | undefined =>
    textAt(workload, 'spec', strategy, 'hook', 'templateName');
  switch (point) {
    case 'canary-step':
      return (
        textAt(
          listAt(workload, 'spec', 'updateStrategy', 'canary', 'steps')[Number(step)],
          'hook',
          'templateName',
        ) ?? ''
      );
    case 'pre-inplace':
      return ofStrategy('preInplaceUpdateStrategy') ?? ofStrategy('preDeleteUpdateStrategy') ?? '';
    case 'post-inplace':
      return ofStrategy('postInplaceUpdateStrategy') ?? '';
    default:
      return ofStrategy('preDeleteUpdateStrategy') ?? '';
  }
}
