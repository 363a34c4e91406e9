import { planRegistrationWorld } from './plan-registration-world.ts';
import { playRegistrationWorld } from './play-registration-world.ts';
import { shrinkRegistrationWorld } from './shrink-registration-world.ts';

/** `sh scripts/with-node.sh tests/sim/registrations/main.ts [--seed N] [--worlds N] [--trace] [--no-shrink]` */
const value = (name: string, usual: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(process.argv[at + 1]);
};

const first = value('seed', 1);
const worlds = value('worlds', process.argv.includes('--seed') ? 1 : 100);
const began = performance.now();
let [histories, calls] = [0, 0];
for (let seed = first; seed < first + worlds; seed += 1) {
  const plan = planRegistrationWorld(seed);
  const result = await playRegistrationWorld(plan);
  histories += result.histories;
  calls += result.calls;
  if (process.argv.includes('--trace')) process.stdout.write(`${result.trace.join('\n')}\n`);
  if (result.complaints.length === 0) continue;
  process.stdout.write(`seed ${seed} breaks a rule: ${result.complaints.join('; ')}\n`);
  if (!process.argv.includes('--no-shrink')) {
    const small = await shrinkRegistrationWorld(plan);
    const again = await playRegistrationWorld(small);
    process.stdout.write(
      `${JSON.stringify(small)}\n${again.trace.join('\n')}\n${again.complaints.join('\n')}\n`,
    );
  }
  process.exitCode = 1;
  break;
}
const spent = (performance.now() - began) / 1000;
process.stdout.write(
  `${histories} instances with ${calls} calls of hooks in ${spent.toFixed(1)} s, seeds ${first} to ${first + worlds - 1}\n`,
);
process.exit();
