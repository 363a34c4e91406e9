import type {
  MetricEvidence,
  MetricValue,
  PodEvidence,
  ReleaseEvidence,
  RequestEvidence,
  RunEvidence,
} from '#releases/decide/explain/explanation.ts';
import type { ExplainedLine } from './explained-line.ts';

export const evidenceSentences = ({
  hookRuns,
  pods,
  morePods = 0,
  budgets,
  lastRequest,
}: ReleaseEvidence): readonly ExplainedLine[] => [
  ...hookRuns.flatMap(runLines),
  ...pods.map((pod) => line(1, podText(pod))),
  ...(morePods === 0 ? [] : [line(1, `${morePods} more pods are not in service.`)]),
  ...budgets.map(({ name, disruptionsAllowed }) =>
    line(1, `PodDisruptionBudget ${name} allows ${disruptionsAllowed} disruptions now.`),
  ),
  ...(lastRequest === undefined ? [] : [line(1, requestText(lastRequest))]),
];

function requestText({ verb, by, time, reason, result, message }: RequestEvidence): string {
  const who = by === undefined ? '' : ` by ${by}`;
  const when = time === undefined ? '' : ` at ${time}`;
  const why = reason === undefined ? '' : ` (${reason})`;
  return `Last request: ${verb}${who}${when}${why}: ${result}. ${message}`;
}

const line = (depth: number, text: string): ExplainedLine => ({ depth, text });

/** The message of a run mostly repeats that of a metric. */
function runLines({ name, of, phase, message, metrics }: RunEvidence): readonly ExplainedLine[] {
  const isRepeated = metrics.some((metric) => metric.message !== undefined);
  const why = message === undefined || isRepeated ? '' : `: ${message}`;
  return [line(1, `HookRun ${name} of ${of} is ${phase}${why}`), ...metrics.flatMap(metricLines)];
}

function metricLines(metric: MetricEvidence): readonly ExplainedLine[] {
  const { name, phase, message, threshold, values } = metric;
  const why = message === undefined ? '' : ` (${message})`;
  return [
    line(2, `metric ${name} is ${phase}${why} after ${callsText(metric)}; it ${threshold}`),
    ...values.map((each) => line(3, valueText(each))),
  ];
}

function callsText({ calls, callsToMake }: MetricEvidence): string {
  const of = callsToMake === undefined ? `${calls}` : `${calls} of ${callsToMake}`;
  return `${of} ${(callsToMake ?? calls) === 1 ? 'call' : 'calls'}`;
}

function valueText({ phase, time, value, message, because = [] }: MetricValue): string {
  const shown = value === undefined ? '' : `value ${value} is `;
  const why = [...because, ...(message === undefined ? [] : [message])].join(', ');
  return `${time ?? 'now'}: ${shown}${phase}${why === '' ? '' : `: ${why}`}`;
}

function podText({ name, revision, cause, restarts, node }: PodEvidence): string {
  const more = [
    `revision ${revision}`,
    ...(node === undefined ? [] : [`node ${node}`]),
    ...(restarts === 0 ? [] : [`${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`]),
  ];
  return `Pod ${name} (${more.join(', ')}): ${cause}`;
}
