/**
 * `npm run sim`: plays releases with faults on virtual time and checks after every change that no rule is broken.
 * `--seed N` starts with this seed, `--worlds N` plays so many, `--size N` sets the releases of a world,
 * `--seconds N` ends after this time.
 */
import { parseArgs } from 'node:util';
import { planWorld, type WorldPlan } from '../tests/sim/happenings.ts';
import { playWorld, type Played } from '../tests/sim/play-world.ts';
import { shrink } from '../tests/sim/shrink.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '10' },
    size: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '600' },
  },
});
const [first, worlds, size, limit] = [values.seed, values.worlds, values.size, values.seconds].map(
  Number,
) as [number, number, number, number];

const began = performance.now();
const took = (): number => (performance.now() - began) / 1000;
const faults: Record<string, number> = {};
let played = 0;
let broken = 0;
for (let seed = first; seed < first + worlds && took() < limit; seed += 1) {
  const plan = planWorld(seed, size);
  const result = await playWorld(plan);
  played += 1;
  for (const [name, count] of Object.entries(result.faults)) faults[name] = (faults[name] ?? 0) + count;
  if (result.complaints.length === 0) continue;
  broken += 1;
  await explain(plan, result);
}
const rate = Math.round(((played * size) / took()) * 60);
process.stdout.write(
  `${played * size} histories in ${took().toFixed(1)} s (${rate} a minute), seeds ${first} to ${first + played - 1}\n`,
);
process.stdout.write(
  `faults: ${Object.entries(faults)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')}\n`,
);
process.stdout.write(`${played - broken} passed, ${broken} failed\n`);
process.exitCode = broken === 0 ? 0 : 1;

async function explain(plan: WorldPlan, { complaints }: Played): Promise<void> {
  process.stdout.write(
    `seed ${plan.seed} breaks a rule; it is replayed by: npm run sim -- --seed ${plan.seed} --worlds 1 --size ${size}\n`,
  );
  for (const complaint of complaints.slice(0, 5)) process.stdout.write(`  ${complaint}\n`);
  const small = await shrink(plan, async (each) => (await playWorld(each)).complaints.length > 0);
  const { trace } = await playWorld(small);
  process.stdout.write(`smallest plan that was found:\n${JSON.stringify(small, null, 1)}\n`);
  process.stdout.write(`its last changes:\n${trace.slice(-30).join('\n')}\n`);
}
