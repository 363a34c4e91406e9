import type { PodSample, RehearsedAvailability } from './rehearsal-report.ts';

/** The lowest point of a release beside what its strategy promises. */
export function availabilityOf(
  samples: readonly PodSample[],
  replicas: number,
  promised: number,
): RehearsedAvailability {
  let lowest = { lowest: replicas, lowestAt: 0 };
  for (const { at, updatedInService, othersInService } of samples) {
    const inService = updatedInService + othersInService;
    if (inService < lowest.lowest) lowest = { lowest: inService, lowestAt: at };
  }
  return { ...lowest, promised: Math.max(0, promised) };
}
