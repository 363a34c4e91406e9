import { reasonOf } from '#loop/report.ts';
import { explainWorld } from './explain-world.ts';
import { playSeed, type WorldOfSeed } from './play-seed.ts';
import { historiesOf, playSorts, type Playing, type SimJob, type Tallies } from './play-sorts.ts';
import { tallyLines } from './print-tallies.ts';
import { readPlan } from './read-plan.ts';
import { readSimOptions, usage, type SimOptions } from './sim-options.ts';
import { startWorkers } from './sim-workers.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** `npm run sim`. Returns the exit code. */
export async function simCommand(words: readonly string[]): Promise<number> {
  const asked = readSimOptions(words);
  if (asked.type === 'help') {
    say(usage);
    return asked.why === undefined ? 0 : refuse(asked.why);
  }
  const { planFile } = asked.options;
  const read = planFile === undefined ? {} : await readPlan(planFile).catch(reasonOf);
  if (typeof read === 'string') return refuse(read);
  return playAll({ ...asked.options, job: { ...asked.options.job, ...read } });
}

function refuse(why: string): number {
  process.stderr.write(`\n${why}\n`);
  return 2;
}

async function playAll({ job, minutes, workers, isShrunk }: SimOptions): Promise<number> {
  const { size, server, plan } = job;
  const began = performance.now();
  const tallies = await playJob(job, minutes, workers);
  for (const line of tallyLines(tallies, (performance.now() - began) / 1000, job)) say(line);
  const failures = [...tallies].flatMap(([sort, { failed }]) => failed.map((seed) => ({ sort, seed })));
  const [first] = failures;
  if (first !== undefined && isShrunk) await explain({ ...first, size, server, plan });
  return failures.length === 0 ? 0 : 1;
}

/** In a process of its own, because a world can end its process. */
async function explain(world: WorldOfSeed): Promise<void> {
  using workers = startWorkers(1);
  const [play = playSeed] = workers.players;
  for (const line of await explainWorld(world, play)) say(line);
}

async function playJob(job: SimJob, minutes: number, count: number): Promise<Tallies> {
  const end = performance.now() + minutes * 60_000;
  const common: Omit<Playing, 'players'> = {
    isOver: () => performance.now() >= end,
    tell: reporter(),
  };
  if (count === 1) {
    // Faults are errors by the thousand, and nobody reads where they come from.
    Error.stackTraceLimit = 0;
    return playSorts(job, { ...common, players: [playSeed] });
  }
  using workers = startWorkers(count);
  return await playSorts(job, { ...common, players: workers.players });
}

/** Tells of worlds that fail at once, and of the progress once a minute. */
function reporter(): Playing['tell'] {
  const began = performance.now();
  let told = 0;
  return ({ sort, seed }, { complaints }, tallies) => {
    if (complaints.length > 0)
      say(`${sort} seed ${seed} breaks a rule: ${complaints.slice(0, 3).join('\n  ')}`);
    const minute = Math.floor((performance.now() - began) / 60_000);
    if (minute === told) return;
    told = minute;
    say(`${minute} min: ${historiesOf(tallies)} histories`);
  };
}
