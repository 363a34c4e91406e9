import type { Random } from '#base/random.ts';
import { ExitError } from '#command/exit.ts';
import type { OutgoingPolicy } from '#edge/outgoing/policy.ts';
import { asksReplies, asksServers, checkProviders, type Asks } from '#hooks/cli/asks-here.ts';
import { repliesIn } from '#hooks/cli/fixture.ts';
import { runLocally } from '#hooks/cli/local-run.ts';
import { trialOf, type TemplateTrial } from '#hooks/cli/test-command.ts';
import { usualLeastInterval, withLeastInterval } from '#hooks/decide/least-interval.ts';
import { lintTemplate, textOfFinding } from '#hooks/decide/lint.ts';
import { isFinal } from '#hooks/decide/run.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { templateOf } from '#hooks/read.ts';
import type { UserIdentity } from '#web/server/live/user-identity.ts';
import { chartsOf } from '#web/server/pages/metric-charts.ts';
import type { HookTrialBody, HookTrialReply } from '#web/wire/hook-test.ts';

type TrialDeps = {
  readonly identity: Pick<UserIdentity, 'client' | 'user' | 'permissions'>;
  readonly random: Random;
  readonly policy: OutgoingPolicy;
};

type TemplateKey = { readonly namespace: string; readonly name: string };

/**
 * Executes a HookTemplate in this process, as `boathook hook test` does: each metric once, or with recorded replies until
 * the verdict. Who may not create HookRuns may not make the controller call a server, and so not this process either.
 */
export async function tryTemplate(
  deps: TrialDeps,
  key: TemplateKey,
  body: HookTrialBody,
  signal: AbortSignal,
): Promise<HookTrialReply> {
  const { client, user, permissions } = deps.identity;
  const access = { verb: 'create', resource: hookRuns, namespace: key.namespace, name: '' };
  const permission = await permissions.may(access, user, signal);
  if (!permission.isAllowed) return refused(permission.message);
  const outcome = await client.get(hookTemplates, key, signal);
  if (outcome.type !== 'ok') return refused(`HookTemplate ${key.name} cannot be read: ${outcome.message}`);
  const template = templateOf(outcome.object);
  const error = lintTemplate(template).find(({ severity }) => severity === 'error');
  if (error !== undefined) return refused(`HookTemplate ${key.name} cannot work: ${textOfFinding(error)}`);
  try {
    const { metric, url } = body;
    const chosen = {
      ...(metric === undefined ? {} : { metric }),
      ...(url === undefined ? {} : { urlOverride: url }),
    };
    return await execute(deps, trialOf(template, body.args, chosen), body.reply, signal);
  } catch (problem) {
    if (problem instanceof ExitError) return refused(problem.message);
    if (signal.aborted) return refused('no verdict came in 30 s');
    throw problem;
  }
}

async function execute(
  { policy, random }: TrialDeps,
  { spec }: TemplateTrial,
  reply: string | undefined,
  signal: AbortSignal,
): Promise<HookTrialReply> {
  checkProviders(spec, reply !== undefined);
  const isRecorded = reply !== undefined;
  await using asks: Asks = isRecorded ? asksReplies(repliesIn(reply, 'the reply')) : asksServers(policy);
  const metrics = spec.metrics ?? [];
  // A user waits for the result: delays are for a cluster.
  const soon = { ...spec, metrics: metrics.map(({ initialDelay: _delay, ...metric }) => metric) };
  const status = await runLocally(
    {
      uid: random.uuid(),
      spec: withLeastInterval(isRecorded ? spec : soon, usualLeastInterval),
      ask: asks.ask,
      clock: asks.clock,
      goesOn: isRecorded ? asks.goesOn : (calls) => calls < metrics.length,
      onFinished: () => undefined,
    },
    signal,
  );
  const { phase = 'Pending', message = '' } = status;
  const undecided = 'Undecided: in a cluster the run would make more calls.';
  return {
    type: 'tried',
    phase,
    message: isFinal(status.phase) ? message : undecided,
    charts: chartsOf(metrics, status.metricResults ?? []),
  };
}

const refused = (message: string): HookTrialReply => ({ type: 'refused', message });
