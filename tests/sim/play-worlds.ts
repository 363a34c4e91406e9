import { parseArgs } from 'node:util';

/** What a played world tells, at the least. */
export type WorldResult = {
  readonly histories: number;
  readonly complaints: readonly string[];
  readonly trace: readonly string[];
};

/** A sort of world: how it is planned, played and made smaller. */
export type WorldSort<Plan, Played extends WorldResult> = {
  readonly plan: (seed: number) => Plan;
  readonly play: (plan: Plan) => Promise<Played>;
  readonly shrink: (plan: Plan) => Promise<Plan>;
  /** What was played, such as `20 operations`. */
  readonly sum: (results: readonly Omit<Played, 'trace'>[]) => string;
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Plays worlds one after the other up to the first that breaks a rule. Returns the exit code. */
export async function playWorlds<Plan, Played extends WorldResult>(
  sort: WorldSort<Plan, Played>,
  words: readonly string[],
): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seed: { type: 'string', default: '1' },
      worlds: { type: 'string', default: '100' },
      shrink: { type: 'boolean', default: true },
    },
    allowNegative: true,
  });
  const first = Number(values.seed);
  const results: Omit<Played, 'trace'>[] = [];
  const began = performance.now();
  for (let seed = first; seed < first + Number(values.worlds); seed += 1) {
    const plan = sort.plan(seed);
    const { trace: _, ...result } = await sort.play(plan);
    results.push(result);
    if (result.complaints.length === 0) continue;
    say(`seed ${seed} breaks a rule: ${result.complaints.join('; ')}`);
    if (values.shrink) await explain(sort, plan);
    break;
  }
  const spent = ((performance.now() - began) / 1000).toFixed(1);
  say(`${sort.sum(results)} in ${spent} s, seeds ${first} to ${first + results.length - 1}`);
  return results.some(({ complaints }) => complaints.length > 0) ? 1 : 0;
}

async function explain<Plan, Played extends WorldResult>(
  { play, shrink }: WorldSort<Plan, Played>,
  plan: Plan,
): Promise<void> {
  const small = await shrink(plan);
  const { trace, complaints } = await play(small);
  say([JSON.stringify(small), ...trace, ...complaints].join('\n'));
}

export const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
