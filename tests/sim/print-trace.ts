/** Prints every change of a world: `node tests/sim/print-trace.ts SEED SUBJECTS ROUNDS`. */
import { planWorld } from './plan-world.ts';
import { playWorld } from './play-world.ts';

const [seed = 1, subjects = 4, rounds = 2] = process.argv.slice(2).map(Number);
const { trace } = await playWorld(planWorld(seed, { subjects, rounds }), { isTraced: true });
process.stdout.write(`${trace.join('\n')}\n`);
