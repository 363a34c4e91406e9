import type { RoundPlan, WorldPlan } from './plan-world.ts';

/** The plan with less: without the last or first rounds, without a subject, or one fault or happening less. */
export function* smallerWorlds(plan: WorldPlan): Generator<WorldPlan> {
  const { rounds, subjects } = plan;
  if (rounds.length > 1) {
    yield { ...plan, rounds: rounds.slice(0, -1) };
    yield { ...plan, rounds: rounds.slice(1) };
  }
  if (subjects.length > 1)
    for (const [half, other] of halves(subjects.length)) {
      yield withoutSubjects(plan, half);
      if (other.length > 0) yield withoutSubjects(plan, other);
    }
  for (const [place, round] of rounds.entries())
    for (const smaller of smallerRounds(round)) yield { ...plan, rounds: rounds.with(place, smaller) };
}

/** The first and the second half of the places; one place at a time when there are few. */
function halves(count: number): readonly (readonly [readonly number[], readonly number[]])[] {
  const all = Array.from({ length: count }, (_, place) => place);
  if (count <= 3) return all.map((place) => [[place], []]);
  const middle = Math.ceil(count / 2);
  return [[all.slice(0, middle), all.slice(middle)]];
}

function withoutSubjects(plan: WorldPlan, gone: readonly number[]): WorldPlan {
  const left = plan.subjects.flatMap((_, place) => (gone.includes(place) ? [] : [place]));
  const place = new Map(left.map((old, at) => [old, at]));
  const moved = (round: RoundPlan): RoundPlan => ({
    ...round,
    happenings: round.happenings.flatMap((each) => {
      const who = place.get(each.who);
      return who === undefined ? [] : [{ ...each, who }];
    }),
  });
  return {
    ...plan,
    subjects: plan.subjects.filter((_, each) => !gone.includes(each)),
    rounds: plan.rounds.map(moved),
  };
}

function* smallerRounds(round: RoundPlan): Generator<RoundPlan> {
  const { faults, happenings } = round;
  if (faults.length > 1) yield { ...round, faults: [] };
  if (happenings.length > 3) {
    const middle = Math.ceil(happenings.length / 2);
    yield { ...round, happenings: happenings.slice(0, middle) };
    yield { ...round, happenings: happenings.slice(middle) };
  }
  for (const place of faults.keys()) yield { ...round, faults: faults.filter((_, each) => each !== place) };
  for (const place of happenings.keys())
    yield { ...round, happenings: happenings.filter((_, each) => each !== place) };
}
