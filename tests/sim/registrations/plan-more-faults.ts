import { seededRandom, type Random } from '#base/random.ts';
import { below, pick } from '../choice.ts';

/** Faults with random numbers of their own, so that the rest of a plan is the same with and without them. */
export type MoreFault =
  | { readonly type: 'repeat-events'; readonly seconds: number; readonly share: number }
  | { readonly type: 'compact' }
  | { readonly type: 'partition'; readonly seconds: number }
  /** Somebody deletes a child and makes an object of their own with its name. */
  | { readonly type: 'take-name'; readonly instance: string; readonly plural: 'deployments' | 'services' };

/** `span`: the time in which faults begin, in seconds. */
export function planMoreFaults(
  seed: number,
  instances: readonly string[],
  span: number,
): readonly (MoreFault & { readonly after: number })[] {
  const random = seededRandom(seed * 6011 + 5);
  return Array.from({ length: below(random, 3) }, () => ({
    after: below(random, span),
    ...faultOf(random, instances),
  }));
}

function faultOf(random: Random, instances: readonly string[]): MoreFault {
  switch (below(random, 4)) {
    case 0:
      return { type: 'repeat-events', seconds: 1 + below(random, 60), share: 0.3 };
    case 1:
      return { type: 'compact' };
    case 2:
      return { type: 'partition', seconds: 1 + below(random, 60) };
    default:
      return {
        type: 'take-name',
        instance: pick(random, instances),
        plural: pick(random, ['deployments', 'services'] as const),
      };
  }
}
