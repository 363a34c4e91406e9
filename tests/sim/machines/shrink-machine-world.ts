import type { MachineWorldPlan, OperationRound } from './plan-machine-world.ts';
import { playMachineWorld } from './play-machine-world.ts';

/** A smaller plan that still breaks a rule. */
export async function shrinkMachineWorld(plan: MachineWorldPlan): Promise<MachineWorldPlan> {
  let best = plan;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const candidate of smallerWorlds(best)) {
      if ((await playMachineWorld(candidate)).complaints.length === 0) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

function* smallerWorlds(plan: MachineWorldPlan): Generator<MachineWorldPlan> {
  const { rounds } = plan;
  if (rounds.length > 1) yield { ...plan, rounds: rounds.slice(0, -1) };
  for (const [at, round] of rounds.entries())
    for (const smaller of smallerRounds(round)) yield { ...plan, rounds: rounds.with(at, smaller) };
}

const calm = { fail: 0, cutAtStart: 0, cutAtEnd: 0, slow: 0 };

function* smallerRounds(round: OperationRound): Generator<OperationRound> {
  const { happenings, deaths, weather } = round;
  for (const at of happenings.keys()) yield { ...round, happenings: happenings.toSpliced(at, 1) };
  for (const at of deaths.keys()) yield { ...round, deaths: deaths.toSpliced(at, 1) };
  for (const key of ['fail', 'cutAtStart', 'cutAtEnd', 'slow'] as const)
    if (weather[key] > 0) yield { ...round, weather: { ...weather, [key]: 0 } };
  if (JSON.stringify(weather) !== JSON.stringify(calm)) yield { ...round, weather: calm };
}
