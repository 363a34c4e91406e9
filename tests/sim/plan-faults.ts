import type { Random } from '#base/random.ts';
import { below, pick } from './choice.ts';
import type { LateWritesGiven } from './faults/late-writes.ts';
import type { NodeLoss } from './model-api/model-nodes.ts';

/** What happens to the controllers of all subjects of a world. */
export type WorldFault = { readonly at: number } & FaultPlan;

export type FaultPlan =
  | { readonly type: 'kill'; readonly writes: number; readonly how: 'before' | 'after' }
  | { readonly type: 'delay-watches'; readonly seconds: number; readonly plurals: readonly string[] }
  | { readonly type: 'repeat-events'; readonly seconds: number; readonly share: number }
  | { readonly type: 'lose-watches'; readonly isGone: boolean }
  | { readonly type: 'compact' }
  | { readonly type: 'fail-requests'; readonly seconds: number; readonly share: number }
  | ({ readonly type: 'late-writes' } & LateWritesGiven)
  | { readonly type: 'fail-leases'; readonly seconds: number; readonly share: number }
  | { readonly type: 'partition'; readonly seconds: number }
  | { readonly type: 'clock'; readonly seconds: number }
  | ({ readonly type: 'lose-node' } & NodeLoss);

const all = [
  'pods',
  'hookruns',
  'gamedeployments',
  'gamestatefulsets',
  'controllerrevisions',
  'poddisruptionbudgets',
];
const groups: readonly (readonly string[])[] = [
  all,
  ['pods'],
  ['hookruns'],
  ['pods', 'hookruns'],
  ['gamedeployments', 'gamestatefulsets'],
  ['poddisruptionbudgets'],
  ['pods', 'poddisruptionbudgets'],
];

export function planFault(random: Random, processes: 1 | 2): FaultPlan {
  const kind = below(random, processes === 2 ? 12 : 10);
  switch (kind) {
    case 0:
    case 1:
      return { type: 'kill', writes: 1 + below(random, 20), how: pick(random, ['before', 'after']) };
    case 2:
    case 3:
      return {
        type: 'delay-watches',
        seconds: tenths(0.5 + random.next() * 6),
        plurals: pick(random, groups),
      };
    case 4:
      return { type: 'lose-watches', isGone: random.next() < 0.5 };
    case 5:
      return { type: 'repeat-events', seconds: tenths(1 + random.next() * 9), share: 0.3 };
    case 6:
      return { type: 'compact' };
    case 7:
      return { type: 'clock', seconds: pick(random, [-30, -5, 2, 5, 30]) };
    case 8:
    case 9:
      return {
        type: 'fail-requests',
        seconds: tenths(1 + random.next() * 8),
        share: tenths(0.1 + random.next() * 0.4),
      };
    default:
      return { type: 'partition', seconds: tenths(5 + random.next() * 20) };
  }
}

export const tenths = (value: number): number => Math.round(value * 10) / 10;
