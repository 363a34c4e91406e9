import type { Evidence, HookRunStatus, Measurement, MetricResult } from '#hooks/kinds/hook-run.ts';

/** The lines of one call: its result, request and reply, and the values that decided. */
export function linesOfCall(metric: string, measurement: Measurement): readonly string[] {
  const { phase = 'Pending', value, message, evidence = {} } = measurement;
  const time = (measurement.plannedAt ?? measurement.startedAt ?? '')
    .replace(/^.*T/, '')
    .replace(/(\.\d{3})\d*Z$/, '$1Z');
  const shown = value === undefined || value === '' ? '' : `  value ${JSON.stringify(value)}`;
  return [
    `${time}  ${metric}  ${phase}${shown}`,
    ...requestOf(evidence),
    ...(message === undefined ? [] : [`  ${message}`]),
    ...(evidence.because ?? []).map((line) => `  ${line}`),
    ...(evidence.body === undefined ? [] : [`  body: ${evidence.body.replaceAll(/\s+/g, ' ').trim()}`]),
  ];
}

/** The lines of a run, newest call last. */
export function linesOfRun(name: string, status: HookRunStatus): readonly string[] {
  const { phase = 'Pending', startedAt, finishedAt, metricResults = [] } = status;
  const times = [
    ...(startedAt === undefined ? [] : [`started ${startedAt}`]),
    ...(finishedAt === undefined ? [] : [`finished ${finishedAt}`]),
  ];
  return [
    `HookRun ${name}: ${phase}${times.length === 0 ? '' : ` (${times.join(', ')})`}`,
    ...(status.message === undefined ? [] : [`  ${status.message}`]),
    ...metricResults.flatMap((result) => ['', ...linesOfMetric(result)]),
  ];
}

/** `webtest: Failed after 1 call: failed once, tolerated 0`. */
export function lineOfMetric({ name, phase = 'Pending', message, ...counters }: MetricResult): string {
  const calls = (counters.count ?? 0) + (counters.error ?? 0);
  const made = `after ${calls} ${calls === 1 ? 'call' : 'calls'}`;
  return `${name}: ${phase} ${made}${tallyOf(counters)}${message === undefined ? '' : `: ${message}`}`;
}

function linesOfMetric(result: MetricResult): readonly string[] {
  const { name, measurements = [] } = result;
  return [
    lineOfMetric(result),
    ...measurements.flatMap((each) => linesOfCall(name, each)).map((line) => `  ${line}`),
  ];
}

const counted = ['successful', 'failed', 'inconclusive', 'error'] as const;
const nouns = {
  successful: 'successful',
  failed: 'failed',
  inconclusive: 'inconclusive',
  error: 'in error',
} as const;

function tallyOf(counters: Partial<MetricResult>): string {
  const parts = counted.flatMap((key) =>
    (counters[key] ?? 0) > 0 ? [`${counters[key]} ${nouns[key]}`] : [],
  );
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function requestOf({ request, status, latencyMs }: Evidence): readonly string[] {
  if (request === undefined) return [];
  const answer = [
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(latencyMs === undefined ? [] : [`${latencyMs} ms`]),
  ];
  return [`  ${request}${answer.length === 0 ? '' : ` -> ${answer.join(', ')}`}`];
}
