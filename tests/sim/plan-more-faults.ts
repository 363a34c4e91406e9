import { seededRandom, type Random } from '#base/random.ts';
import { below, byTime, pick } from './choice.ts';
import { tenths, type FaultPlan } from './plan-faults.ts';
import type { Happening } from './plan-happenings.ts';
import { withShortHistories } from './plan-short-histories.ts';
import type { RoundPlan, WorldPlan } from './plan-world.ts';
import type { Leading } from './sim-process.ts';

/** Seeds before this one keep the plans with which they once found something. */
const firstSeed = 3_000_000;

/** The time in which things happen, in seconds. */
const span = 40;

/**
 * The plan with more faults: writes that arrive late, requests for Leases that fail, a single process that is cut off,
 * users who act directly before or after a write of a controller, and short histories.
 */
export function withMoreFaults(plan: WorldPlan): WorldPlan {
  if (plan.seed < firstSeed) return plan;
  const random = seededRandom(plan.seed + 4_000_037);
  const rounds = plan.rounds.map((round) => withMore(random, round, plan.leading));
  return withShortHistories({ ...plan, rounds });
}

function withMore(random: Random, { faults, happenings }: RoundPlan, leading: Leading): RoundPlan {
  const more = Array.from({ length: 1 + below(random, 3) }, () => ({
    ...planMore(random, leading),
    at: Math.floor(random.next() * span * 100) / 100,
  }));
  return {
    faults: [...faults, ...more].toSorted(byTime),
    happenings: happenings.map((each) => perhapsMeeting(random, each)),
  };
}

function planMore(random: Random, leading: Leading): FaultPlan {
  const lot = random.next();
  const length = tenths(2 + random.next() * 10);
  if (lot < 0.6)
    return {
      type: 'late-writes',
      seconds: length,
      share: tenths(0.1 + random.next() * 0.4),
      longest: pick(random, [1, 5, 15, 40]),
    };
  if (leading === 'alone') return { type: 'partition', seconds: tenths(1 + random.next() * 24) };
  return { type: 'fail-leases', seconds: 2 * length, share: tenths(0.2 + random.next() * 0.8) };
}

/** One of seven acts of users meets a write. */
function perhapsMeeting(random: Random, happening: Happening): Happening {
  const [lot, writes, isBefore] = [random.next(), 1 + below(random, 8), random.next() < 0.5];
  if (lot > 1 / 7 || happening.type === 'hooks') return happening;
  return { ...happening, meets: { writes, how: isBefore ? 'before' : 'after' } };
}
