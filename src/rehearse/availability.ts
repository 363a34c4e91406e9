import { countText } from '#base/text.ts';
import type { PodSample, RehearsalReport, RehearsedAvailability } from './rehearsal-report.ts';

/** The lowest point of a release beside what its strategy promises. */
export function availabilityOf(samples: readonly PodSample[], promised: number): RehearsedAvailability {
  const counts = samples.map(({ at, updatedInService, othersInService }) => ({
    lowest: updatedInService + othersInService,
    lowestAt: at,
  }));
  const [first = { lowest: 0, lowestAt: 0 }, ...later] = counts;
  const lowest = later.reduce((least, each) => (each.lowest < least.lowest ? each : least), first);
  return { ...lowest, promised: Math.max(0, promised) };
}

/** `3 of 4 pods in service`; while the number of pods is lowered there can be more than wanted. */
export const inServiceText = (count: number, { replicas }: Pick<RehearsalReport, 'replicas'>): string =>
  count > replicas
    ? `${countText(count, 'pod')} in service, ${replicas} wanted`
    : `${count} of ${replicas} pods in service`;
