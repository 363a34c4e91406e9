import { seededRandom, type Random } from '#base/random.ts';
import { below, byTime } from './choice.ts';
import type { Leading } from './sim-process.ts';
import { planFault, type WorldFault } from './plan-faults.ts';
import { planHappening, type Happening } from './plan-happenings.ts';
import { withMoreFaults } from './plan-more-faults.ts';
import { planSubject, type SubjectPlan } from './plan-subjects.ts';

/** One stretch of time: each subject has a release or a run in it, things happen, faults befall all, then they cease. */
export type RoundPlan = {
  readonly happenings: readonly Happening[];
  readonly faults: readonly WorldFault[];
};

/** Some workloads and hook runs that share a control plane. A history is one release, or one hook run. */
export type WorldPlan = {
  readonly seed: number;
  readonly leading: Leading;
  readonly subjects: readonly SubjectPlan[];
  readonly rounds: readonly RoundPlan[];
};

/** How large a world is. */
export type WorldSize = { readonly subjects: number; readonly rounds: number };

const usualSize: WorldSize = { subjects: 8, rounds: 4 };

/** The time in which things happen, in seconds. */
const span = 40;

/** The plan of a seed. */
export const planWorld = (seed: number, size?: WorldSize): WorldPlan => withMoreFaults(planUsual(seed, size));

/** Without the faults that only some seeds have. */
export function planUsual(seed: number, { subjects: count, rounds }: WorldSize = usualSize): WorldPlan {
  const random = seededRandom(seed);
  const processes = random.next() < 0.2 ? 2 : 1;
  const leading = processes === 1 ? 'alone' : seed % 2 === 0 ? 'sharded' : 'elected';
  const subjects = Array.from({ length: count }, () => planSubject(random));
  return {
    seed,
    leading,
    subjects,
    rounds: Array.from({ length: rounds }, () => planRound(random, subjects, processes)),
  };
}

function planRound(random: Random, subjects: readonly SubjectPlan[], processes: 1 | 2): RoundPlan {
  const at = (): number => Math.floor(random.next() * span * 100) / 100;
  const happenings = subjects.flatMap(({ kind }, who) =>
    Array.from({ length: 3 + below(random, 7) }, () => ({ ...planHappening(random, kind), at: at(), who })),
  );
  // As many for each subject as there are subjects in two faults, at the least.
  const count = Math.ceil(subjects.length / 2) + below(random, Math.ceil(subjects.length / 2) + 1);
  const faults = Array.from({ length: count }, () => ({ ...planFault(random, processes), at: at() }));
  return { happenings: happenings.toSorted(byTime), faults: faults.toSorted(byTime) };
}
