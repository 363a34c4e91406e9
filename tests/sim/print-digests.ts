/** Prints the digest of a seed of each sort, and of releases with two processes that elect a leader or have shards. */
import { planWorld } from './plan-world.ts';
import { loadSort, sortNames } from './world-sorts.ts';

const size = { subjects: 4, rounds: 2 };
const seed = 3;

const print = (name: string, digest: string): void => void process.stdout.write(`${name} ${digest}\n`);

for (const name of sortNames) {
  const { plan, play } = await loadSort(name);
  print(name, (await play(plan(seed, size), { isDigested: true })).digest);
}
const { play } = await loadSort('releases');
for (const leading of ['elected', 'sharded'] as const) {
  let plan = planWorld(1, size);
  for (let next = 2; plan.leading !== leading; next += 1) plan = planWorld(next, size);
  print(`${leading} seed ${plan.seed}`, (await play(plan, { isDigested: true })).digest);
}
