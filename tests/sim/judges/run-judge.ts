import { listAt, numberAt, textAt, type Json } from '#base/json.ts';
import { nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { HookCall } from '../hook-service.ts';
import { finalPhases } from '../run-phases.ts';
import type { ServerChange } from '../sim-server.ts';

const tallies = ['count', 'successful', 'failed', 'inconclusive', 'error'];

/**
 * Hook runs: a verdict stands, counts only grow and add up, and no call is counted twice: there are never more
 * measurements than calls with different idempotency keys.
 */
export class RunJudge {
  readonly complaints: string[] = [];
  readonly judged = { verdicts: 0, measurements: 0 };
  /** The keys of calls, by uid of the run and name of the metric. */
  readonly #asked = new Map<string, Set<string>>();

  called({ key }: HookCall): void {
    const metric = key.slice(0, key.lastIndexOf('/'));
    this.#asked.set(metric, (this.#asked.get(metric) ?? new Set()).add(key));
  }

  see({ type, storage, object, before }: ServerChange): void {
    if (storage !== 'tkex.tencent.com/hookruns' || type === 'DELETED') return;
    if (object['status'] === before?.['status']) return;
    const [was, is] = [phaseOf(before), phaseOf(object)];
    if (was !== is && finalPhases.has(is)) this.judged.verdicts += 1;
    if (finalPhases.has(was) && is !== was) this.#complain(object, `went from ${was} to ${is || 'no phase'}`);
    const known = new Map(resultsOf(before).map((each) => [textAt(each, 'name'), each]));
    for (const result of resultsOf(object)) this.#judge(object, result, known.get(textAt(result, 'name')));
  }

  #judge(run: KubeObject, result: Json, before: Json | undefined): void {
    const name = textAt(result, 'name') ?? '';
    const of = (tally: string): number => numberAt(result, tally) ?? 0;
    for (const tally of tallies)
      if (of(tally) < (numberAt(before, tally) ?? 0)) this.#complain(run, `${name}: ${tally} went down`);
    if (of('count') !== of('successful') + of('failed') + of('inconclusive'))
      this.#complain(run, `${name}: the counts do not add up: ${JSON.stringify(result)}`);
    const measured = of('count') + of('error');
    const asked = this.#asked.get(`${uidOf(run)}/${name}`)?.size ?? 0;
    this.judged.measurements +=
      measured - (numberAt(before, 'count') ?? 0) - (numberAt(before, 'error') ?? 0);
    if (measured > asked)
      this.#complain(run, `${name}: ${measured} results were counted, ${asked} calls were made`);
  }

  #complain(run: KubeObject, what: string): void {
    this.complaints.push(`HookRun ${namespaceOf(run)}/${nameOf(run)} ${what}`);
  }
}

const phaseOf = (run: KubeObject | undefined): string => textAt(run, 'status', 'phase') ?? '';
const resultsOf = (run: KubeObject | undefined): readonly Json[] => listAt(run, 'status', 'metricResults');
