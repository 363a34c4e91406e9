import { formatMicroTime, type Instant } from '#base/time.ts';

/** The name of an operation. Names sort by time, also those of two operations in one second. */
export const operationId = (begun: Instant, verb: string, pid: number): string =>
  `${formatMicroTime(begun).replaceAll(/[-:]/g, '')}-${verb}-${pid.toString(36)}`;
