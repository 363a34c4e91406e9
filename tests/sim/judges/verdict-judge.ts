import { listAt, numberAt, objectAt, textAt, type Json } from '#base/json.ts';
import { nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { HookCall } from '../hook-service.ts';
import type { HookBehaviour } from '../plan-happenings.ts';
import { finalPhases } from '../run-phases.ts';
import type { ServerChange } from '../sim-server.ts';

/** From the best to the worst. */
const severity = ['Successful', 'Inconclusive', 'Error', 'Failed'];
const usualErrorLimit = 4;

/**
 * Hook runs: the phase of each metric and of the run is what the answers, counts and limits say, and answers are counted
 * as what they were.
 */
export class VerdictJudge {
  readonly complaints: string[] = [];
  readonly judged = { decidedMetrics: 0 };
  /** The keys of calls with this answer, by uid of the run and name of the metric. */
  readonly #answers = new Map<string, Map<HookBehaviour, Set<string>>>();

  called({ key, behaviour }: HookCall): void {
    const metric = key.slice(0, key.lastIndexOf('/'));
    const known = this.#answers.get(metric) ?? new Map<HookBehaviour, Set<string>>();
    known.set(behaviour, (known.get(behaviour) ?? new Set()).add(key));
    this.#answers.set(metric, known);
  }

  see({ type, storage, object, before }: ServerChange): void {
    if (storage !== 'tkex.tencent.com/hookruns' || type === 'DELETED') return;
    if (object['status'] === before?.['status'] || object['status'] === undefined) return;
    const metrics = new Map(listAt(object, 'spec', 'metrics').map((each) => [textAt(each, 'name'), each]));
    if ([...metrics.values()].some(isRefused)) {
      const phase = textAt(object, 'status', 'phase') ?? '';
      if (phase !== 'Error') this.#complain(object, `is ${phase}, and its limits contradict each other`);
      return;
    }
    const known = new Map(resultsOf(before).map((each) => [textAt(each, 'name'), each]));
    for (const result of resultsOf(object)) {
      const metric = metrics.get(textAt(result, 'name'));
      if (metric === undefined)
        this.#complain(object, `has a result of no metric: ${JSON.stringify(result)}`);
      else this.#judgeMetric(object, { metric, result, before: known.get(textAt(result, 'name')) });
    }
    this.#judgeRun(object, metrics.size);
  }

  #judgeMetric(run: KubeObject, { metric, result, before }: JudgedMetric): void {
    const name = textAt(result, 'name') ?? '';
    const phase = textAt(result, 'phase') ?? '';
    const was = textAt(before, 'phase') ?? '';
    this.#judgeAnswers(run, name, result);
    this.#judgeRows(run, { metric, result, before });
    if (finalPhases.has(was)) {
      if (phase !== was) this.#complain(run, `${name}: went from ${was} to ${phase}`);
      return;
    }
    if (finalPhases.has(phase)) this.judged.decidedMetrics += 1;
    const decided = decidedPhase(metric, result);
    const allowed = decided === undefined ? [endingOf(run), 'Running', 'Pending'] : [decided];
    if (!allowed.includes(phase))
      this.#complain(
        run,
        `${name}: is ${phase} and not ${allowed.join(', ')}: ${JSON.stringify({ ...objectAt(result), measurements: undefined })}`,
      );
  }

  /** Errors and successes in a row. */
  #judgeRows(run: KubeObject, { result, before }: JudgedMetric): void {
    const grown = (field: string): number => numberOf(result, field) - numberOf(before, field);
    const rows = [
      { row: 'consecutiveError', of: 'error', enders: ['successful', 'failed', 'inconclusive'] },
      { row: 'consecutiveSuccessful', of: 'successful', enders: ['error', 'failed', 'inconclusive'] },
    ];
    for (const { row, of, enders } of rows) {
      const isEnded = enders.some((field) => grown(field) > 0);
      const is = numberOf(result, row);
      const most = isEnded ? grown(of) : numberOf(before, row) + grown(of);
      if (is > most || (!isEnded && is < most))
        this.#complain(run, `${textAt(result, 'name') ?? ''}: ${row} is ${is} and not ${most}`);
    }
  }

  #judgeAnswers(run: KubeObject, name: string, result: Json): void {
    const answers = this.#answers.get(`${uidOf(run)}/${name}`);
    const asked = (...behaviours: readonly HookBehaviour[]): number =>
      behaviours.reduce((sum, each) => sum + (answers?.get(each)?.size ?? 0), 0);
    // A call in progress when the run ends is counted with the phase that the run ends with.
    const cut = endingOf(run) === undefined ? 0 : 1;
    const counted: readonly (readonly [string, number, number])[] = [
      ['good', numberOf(result, 'successful'), asked('good', 'slow')],
      ['bad', numberOf(result, 'failed') + numberOf(result, 'inconclusive'), asked('bad')],
      ['broken', numberOf(result, 'error'), asked('broken', 'none', 'slow', 'good', 'bad')],
    ];
    for (const [what, is, most] of counted)
      if (is > most + cut)
        this.#complain(run, `${name}: ${is} ${what} answers were counted, and ${most} were given`);
  }

  /** A run ends with the worst phase of its metrics, as soon as one is bad or all are decided. */
  #judgeRun(run: KubeObject, metrics: number): void {
    const phases = resultsOf(run).map((each) => textAt(each, 'phase') ?? '');
    const stop = stopVerdictOf(run);
    const isOver =
      phases.some((phase) => finalPhases.has(phase) && phase !== 'Successful') ||
      (phases.length === metrics && phases.every((phase) => finalPhases.has(phase)));
    const is = textAt(run, 'status', 'phase') ?? '';
    if (!isOver) {
      if (finalPhases.has(is) && stop === undefined)
        this.#complain(run, `is ${is} with metrics that are ${phases.join(', ')}`);
      return;
    }
    const wanted = worstOf(stop === undefined ? phases : [...phases, stop]);
    if (is !== wanted)
      this.#complain(run, `is ${is} and not ${wanted}: its metrics are ${phases.join(', ')}`);
  }

  #complain(run: KubeObject, what: string): void {
    this.complaints.push(`HookRun ${namespaceOf(run)}/${nameOf(run)} ${what}`);
  }
}

type JudgedMetric = { readonly metric: Json; readonly result: Json; readonly before: Json | undefined };

const numberOf = (object: Json | undefined, field: string): number => numberAt(object, field) ?? 0;
const resultsOf = (run: KubeObject | undefined): readonly Json[] => listAt(run, 'status', 'metricResults');

/** The phase that counts and limits give a metric; undefined: it is open. */
function decidedPhase(metric: Json, result: Json): string | undefined {
  const limit = (name: string): number | undefined => numberAt(metric, name);
  const is = (name: string): number => numberOf(result, name);
  const reached = (name: string, wanted: number | undefined): boolean =>
    wanted !== undefined && wanted > 0 && is(name) >= wanted;
  if (is('failed') > (limit('failureLimit') ?? 0)) return 'Failed';
  if (reached('successful', limit('successfulLimit'))) return 'Successful';
  if (is('inconclusive') > (limit('inconclusiveLimit') ?? 0)) return 'Inconclusive';
  if (is('consecutiveError') > (limit('consecutiveErrorLimit') ?? usualErrorLimit)) return 'Error';
  if (reached('consecutiveSuccessful', limit('consecutiveSuccessfulLimit'))) return 'Successful';
  const once = textAt(metric, 'interval') === undefined ? 1 : undefined;
  return reached('count', limit('count') ?? once) ? 'Successful' : undefined;
}

/** The phase that open metrics get because the run ends; undefined: it does not end. */
function endingOf(run: KubeObject): string | undefined {
  const stop = stopVerdictOf(run);
  if (stop !== undefined) return stop;
  return finalPhases.has(textAt(run, 'status', 'phase') ?? '') ? 'Successful' : undefined;
}

/** A run with a limit that its count cannot reach is refused. */
const isRefused = (metric: Json): boolean =>
  ['failureLimit', 'successfulLimit', 'inconclusiveLimit'].some(
    (limit) => numberOf(metric, 'count') > 0 && numberOf(metric, limit) > numberOf(metric, 'count'),
  );

function stopVerdictOf(run: KubeObject): string | undefined {
  const spec = objectAt(run, 'spec');
  return spec?.['terminate'] === true ? (textAt(spec, 'terminateVerdict') ?? 'Successful') : undefined;
}

const worstOf = (phases: readonly string[]): string =>
  severity.findLast((each) => phases.includes(each)) ?? 'Successful';
