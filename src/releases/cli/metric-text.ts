import type { MetricView } from '#releases/decide/view/run-view.ts';

/** `webtest 45, needs asInt(result) < 30, 1 of 1 calls, 1 failed, 0 tolerated`. */
export function metricText(metric: MetricView): string {
  const { name, value, successCondition, failureCondition, message } = metric;
  return [
    `${name}: ${value ?? 'no value yet'}`,
    ...(successCondition === undefined ? [] : [`needs ${successCondition}`]),
    ...(failureCondition === undefined ? [] : [`fails if ${failureCondition}`]),
    callsText(metric),
    ...(message === undefined ? [] : [message]),
  ].join(', ');
}

function callsText({ calls, plannedCalls, failed, failureLimit }: MetricView): string {
  const made = plannedCalls === undefined ? `${calls}` : `${calls} of ${plannedCalls}`;
  const noun = plannedCalls === undefined ? calls === 1 : plannedCalls === 1;
  return `${made} ${noun ? 'call' : 'calls'}${failed === 0 ? '' : ` (${failed} failed, ${failureLimit} tolerated)`}`;
}
