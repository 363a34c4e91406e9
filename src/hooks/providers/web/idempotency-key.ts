import type { MetricCall } from '#hooks/providers/provider.ts';

/** A service that sees the same key again has been asked the same question before. */
export const idempotencyHeader = 'idempotency-key';

/** Run, metric and measurement: the same again when a call is repeated after a crash, another for every other call. */
export const idempotencyKey = ({
  run,
  metric,
  attempt,
}: Pick<MetricCall, 'run' | 'metric' | 'attempt'>): string =>
  `${run.uid}/${encodeURIComponent(metric.name.toWellFormed())}/${attempt}`;
