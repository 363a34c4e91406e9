import type { MetricCall } from '#hooks/providers/provider.ts';

/** A service that receives the same key again has received the same call before. */
export const idempotencyHeader = 'idempotency-key';

/** Run, metric and measurement. A call that is repeated after a crash has the same key; every other call has another. */
export const idempotencyKey = ({
  run,
  metric,
  attempt,
}: Pick<MetricCall, 'run' | 'metric' | 'attempt'>): string =>
  `${run.uid}/${encodeURIComponent(metric.name.toWellFormed())}/${attempt}`;
