import { conditionsOf } from '#machines/decide/conditions.ts';
import { largePlan, largeProgress } from '#machines/decide/testing/large-plan.ts';
import type { MachineObjectsMeasurement } from './figures.ts';

/** Processor time for the conditions of one status; the first call is included. */
export function conditionsTime(): Promise<readonly MachineObjectsMeasurement[]> {
  const rounds = Array.from({ length: 20 }, () => {
    const start = process.threadCpuUsage();
    conditionsOf(largePlan, largeProgress);
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  });
  return Promise.resolve([{ id: 'conditions', value: Math.max(...rounds), rounds, details: {} }]);
}
