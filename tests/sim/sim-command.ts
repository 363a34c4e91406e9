import { parseArgs } from 'node:util';
import type { WorldSize } from './plan-world.ts';
import { explainSeed, playSeed } from './play-seed.ts';
import { historiesOf, playSorts, type Playing, type SimJob, type Tallies } from './play-sorts.ts';
import { tallyLines } from './print-tallies.ts';
import { startWorkers } from './sim-workers.ts';
import { sortNames, type SortName } from './world-sorts.ts';

const usage = `npm run sim -- [SORT] [OPTIONS]

Plays worlds with faults on virtual time and checks after every change that no rule is broken.

SORT  releases (unless given): releases and hook runs
      disruptions: releases with more that takes pods away
      budgets: releases of workloads that share disruption budgets
      hookruns: hook runs with several metrics
      machines: operations of boathook cluster
      registrations: instances of CRDRegistrations
      all: all of them, with the same processor time for each

--seed N        the first seed of each sort (1)
--worlds N      the number of worlds of each sort (20)
--histories N   begin no further world after so many histories
--minutes N     begin no further world after this time (60)
--workers N     the number of processes (1)
--no-shrink     do not look for a smaller plan of a world that fails
--subjects N, --rounds N    the size of a world of releases, disruptions, budgets and hookruns
--server embedded           play these on the embedded API server`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const options = {
  help: { type: 'boolean', short: 'h', default: false },
  seed: { type: 'string', default: '1' },
  worlds: { type: 'string', default: '20' },
  histories: { type: 'string', default: 'Infinity' },
  minutes: { type: 'string', default: '60' },
  workers: { type: 'string', default: '1' },
  subjects: { type: 'string' },
  rounds: { type: 'string' },
  server: { type: 'string', default: 'model' },
  shrink: { type: 'boolean', default: true },
} as const;

/** `npm run sim`. Returns the exit code. */
export async function simCommand(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options,
    allowNegative: true,
    allowPositionals: true,
  });
  const sorts = sortsOf(positionals);
  if (values.help || sorts === undefined) {
    say(usage);
    return values.help ? 0 : 2;
  }
  const job: SimJob = {
    sorts,
    seed: Number(values.seed),
    worlds: Number(values.worlds),
    histories: Number(values.histories),
    size: sizeOf(values.subjects, values.rounds),
    server: values.server === 'embedded' ? 'embedded' : 'model',
  };
  const began = performance.now();
  const tallies = await playJob(job, Number(values.minutes), Number(values.workers));
  for (const line of tallyLines(tallies, (performance.now() - began) / 1000, job)) say(line);
  const failures = [...tallies].flatMap(([sort, { failed }]) => failed.map((seed) => ({ sort, seed })));
  const [first] = failures;
  if (first !== undefined && values.shrink)
    for (const line of await explainSeed({ ...first, size: job.size, server: job.server })) say(line);
  return failures.length === 0 ? 0 : 1;
}

const sizeOf = (subjects: string | undefined, rounds: string | undefined): WorldSize | undefined =>
  subjects === undefined && rounds === undefined
    ? undefined
    : { subjects: Number(subjects ?? 8), rounds: Number(rounds ?? 4) };

function sortsOf([name = 'releases', ...more]: readonly string[]): readonly SortName[] | undefined {
  if (more.length > 0) return undefined;
  if (name === 'all') return sortNames;
  const found = sortNames.find((each) => each === name);
  return found === undefined ? undefined : [found];
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
  await using workers = startWorkers(count);
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
