import { PodsRefused } from '#loop/owned/pod-writer.ts';
import { isStale } from '#loop/owned/write.ts';
import type { LoopDeps } from '#loop/loop-deps.ts';
import type { ControllerSetParts } from '#loop/controller-set.ts';

/** The dependencies of the built-in controllers. */
export type WorkloadDeps = LoopDeps & ControllerSetParts;

/** What every built-in controller passes to `runController`. */
export const loopParts = ({ clock, random, tasks, report }: WorkloadDeps, parallel = 8) =>
  ({ clock, random, tasks, report, queue: { parallel, isExpected } }) as const;

/** Expected: a conflict is retried at once, and refused pods are in an event already. */
const isExpected = (error: unknown): boolean => isStale(error) || error instanceof PodsRefused;
