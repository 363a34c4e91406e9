import type { Step } from '#releases/kinds/canary.ts';
import { fnv32, orderedJson, safeName } from '#kube/workload/safe-hash.ts';

/** Tells whether steps were edited. */
export const stepHashOf = (steps: readonly Step[]): string => safeName(fnv32(orderedJson(steps)));
