import type { MachineWorldPlan, OperationRound } from './plan-machine-world.ts';

/** The plan with less: without the last operation, or one fault less. */
export function* smallerMachineWorlds(plan: MachineWorldPlan): Generator<MachineWorldPlan> {
  const { rounds } = plan;
  if (rounds.length > 1) yield { ...plan, rounds: rounds.slice(0, -1) };
  for (const [at, round] of rounds.entries())
    for (const smaller of smallerRounds(round)) yield { ...plan, rounds: rounds.with(at, smaller) };
}

const calm = { fail: 0, cutAtStart: 0, cutAtEnd: 0, slow: 0 };

function* smallerRounds(round: OperationRound): Generator<OperationRound> {
  const { happenings, deaths, shares } = round;
  for (const at of happenings.keys()) yield { ...round, happenings: happenings.toSpliced(at, 1) };
  for (const at of deaths.keys()) yield { ...round, deaths: deaths.toSpliced(at, 1) };
  for (const key of ['fail', 'cutAtStart', 'cutAtEnd', 'slow'] as const)
    if (shares[key] > 0) yield { ...round, shares: { ...shares, [key]: 0 } };
  if (JSON.stringify(shares) !== JSON.stringify(calm)) yield { ...round, shares: calm };
}
