import { seededRandom, type Random } from '#base/random.ts';
import { below } from '../choice.ts';
import { firstOfAnyOrder } from '../timer-order.ts';
import type { MachineHappening, MachineWorldPlan } from './plan-machine-world.ts';

/** The plan with operators that lose their network for a time, in which another one often begins. */
export function withLostNetworks(plan: MachineWorldPlan): MachineWorldPlan {
  if (plan.seed < firstOfAnyOrder) return plan;
  const random = seededRandom(plan.seed + 4_000_037);
  return {
    ...plan,
    rounds: plan.rounds.map((round) => ({ ...round, happenings: [...round.happenings, ...more(random)] })),
  };
}

function more(random: Random): readonly MachineHappening[] {
  const [lot, after, seconds] = [random.next(), below(random, 150), 1 + below(random, 25)];
  if (lot < 0.5) return [];
  const offline: MachineHappening = { after, type: 'offline', seconds };
  return lot < 0.7 ? [offline] : [offline, { after: after + below(random, 3), type: 'rival' }];
}
