import { textOfFinding } from '#hooks/decide/lint.ts';
import type { HookRunSpec, HookRunStatus, Measurement } from '#hooks/kinds/hook-run.ts';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import type { HookArg, Metric } from '#hooks/kinds/metric.ts';
import type { JsonObject } from '#base/json.ts';
import { isPodWord, mergeArgs } from '#hooks/decide/args.ts';
import { worstOf } from '#hooks/decide/assess.ts';
import { isFinal } from '#hooks/decide/run.ts';
import { problemOfRun } from '#hooks/decide/validate-run.ts';
import { nameOf } from '#kube/object.ts';
import { ExitError } from '#command/exit.ts';
import { argsOf, checkNames } from './arg-flags.ts';
import { systemRandom } from '#edge/random.ts';
import { asksHere, checkProviders, type Asks } from './asks-here.ts';
import { untilInterrupted } from '#command/interrupted.ts';
import { runLocally } from './local-run.ts';
import { overrideUrl } from './override-url.ts';
import { printAside, printJson, printLine, wantsJson, type OutputFlags } from '#command/print.ts';
import { lineOfMetric, linesOfCall } from './show-run.ts';
import { readTemplates, type ReadTemplate } from './templates.ts';
import { codeOf } from './verdict-code.ts';
import { usualLeastInterval, withLeastInterval } from '#hooks/decide/least-interval.ts';

export type TestFlags = OutputFlags & {
  readonly filename: string;
  readonly arg?: readonly string[];
  readonly metric?: string;
  readonly urlOverride?: string;
  readonly fixture?: string;
};

export type TemplateTrial = { readonly template: string; readonly spec: HookRunSpec };
type Tried = TemplateTrial & { readonly status: HookRunStatus };

/** `boathook hook test`: executes templates in this process. The exit code is that of the worst verdict. */
export async function testCommand(flags: TestFlags): Promise<number> {
  const isJson = wantsJson(flags);
  const trials = trialsOf(flags);
  for (const { spec } of trials) checkProviders(spec, flags.fixture !== undefined);
  await using asks = asksHere(flags.fixture);
  const tried: Tried[] = [];
  const code = await untilInterrupted(async (signal) => {
    for (const trial of trials) tried.push({ ...trial, status: await tryOut(trial, asks, isJson, signal) });
    return codeOf(worstOf(tried.map(({ status }) => status.phase ?? 'Pending')));
  });
  if (code === 130) printAside('boathook: interrupted before the verdict');
  else if (isJson) printJson(report(tried));
  else if (tried.some(({ status }) => status.phase === 'Error') && flags.fixture === undefined)
    printAside('(--url-override calls another server, --fixture replays a recorded reply)');
  return code;
}

function trialsOf(flags: TestFlags): readonly TemplateTrial[] {
  const templates = readTemplates(flags.filename);
  for (const { name, findings } of templates)
    for (const finding of findings) printAside(`HookTemplate ${name}: ${textOfFinding(finding)}`);
  const given = argsOf(flags.arg);
  const sound = templates.map(mustBeSound);
  checkNames(
    given,
    sound.flatMap(({ spec }) => spec.args ?? []),
    isPodWord,
  );
  return sound.map((template) => trialOf(template, given, flags));
}

function mustBeSound({ name, template, findings }: ReadTemplate): HookTemplate {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (template !== undefined && errors === 0) return template;
  throw new ExitError(
    2,
    `HookTemplate ${name} cannot work: see the ${errors === 1 ? 'error' : 'errors'} above`,
  );
}

/** More measurements than in a cluster, because a test shows all of them. */
const kept = 100;

/** A run of a template with arguments. Ends the command when an argument is missing or the run could not work. */
export function trialOf(
  template: HookTemplate,
  given: readonly HookArg[],
  flags: Pick<TestFlags, 'metric' | 'urlOverride'>,
): TemplateTrial {
  const name = nameOf(template);
  const merged = mergeArgs(template.spec.args ?? [], given, { injected: [] });
  if (merged.type === 'missing')
    throw new ExitError(2, `HookTemplate ${name}: ${merged.message} (here: --arg ${merged.names[0]}=VALUE)`);
  const metrics = chosen(template, name, flags.metric).map((metric) =>
    flags.urlOverride === undefined ? metric : overrideUrl(metric, flags.urlOverride),
  );
  const spec = { ...template.spec, args: merged.args, metrics, measurementRetention: kept };
  const problem = problemOfRun(spec);
  if (problem !== undefined) throw new ExitError(2, `HookTemplate ${name}: ${problem}`);
  return { template: name, spec };
}

function chosen({ spec }: HookTemplate, name: string, wanted: string | undefined): readonly Metric[] {
  if (wanted === undefined) return spec.metrics;
  const found = spec.metrics.filter((metric) => metric.name === wanted);
  if (found.length > 0) return found;
  const names = spec.metrics.map((metric) => metric.name).join(', ');
  throw new ExitError(2, `HookTemplate ${name} has no metric ${wanted}: choose from ${names}`);
}

async function tryOut(
  { template, spec }: TemplateTrial,
  asks: Asks,
  isJson: boolean,
  signal: AbortSignal,
): Promise<HookRunStatus> {
  const print = isJson ? (): void => undefined : printLine;
  const { ask, clock, goesOn } = asks;
  print(`HookTemplate ${template}: ${(spec.metrics ?? []).map(conditionText).join('; ')}`);
  const status = await runLocally(
    {
      uid: systemRandom.uuid(),
      spec: withLeastInterval(spec, usualLeastInterval),
      ask,
      clock,
      goesOn,
      onFinished: showCalls,
    },
    signal,
  );
  for (const result of status.metricResults ?? []) print(lineOfMetric(result));
  if (!isFinal(status.phase)) print('undecided: in a cluster the run would continue');
  print(`${status.phase}${status.message === undefined ? '' : `: ${status.message}`}`);
  return status;

  function showCalls(now: HookRunStatus, finished: readonly { readonly metric: string }[]): void {
    for (const { metric } of finished) {
      const last: Measurement | undefined = now.metricResults
        ?.find(({ name }) => name === metric)
        ?.measurements?.at(-1);
      if (last !== undefined) for (const line of linesOfCall(metric, last)) print(line);
    }
  }
}

function conditionText({ name, successCondition, failureCondition }: Metric): string {
  const parts = [
    ...(successCondition ? [`good when ${successCondition}`] : []),
    ...(failureCondition ? [`bad when ${failureCondition}`] : []),
  ];
  return `${name} is ${parts.length === 0 ? 'good when the call works' : parts.join(', ')}`;
}

function report(tried: readonly Tried[]): JsonObject {
  const runs = tried.map(({ template, status }) => ({ template, ...status }));
  const phase = worstOf(tried.map(({ status }) => status.phase ?? 'Pending'));
  return { phase, runs };
}
