import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { planDisruptions } from './plan-disruptions.ts';
import { planWorld, type WorldPlan } from './plan-world.ts';
import { playWorld, type PlayOptions } from './play-world.ts';
import { shrink } from './shrink.ts';
import { addCounts, addTo, newTally, sumOf, type SimTally } from './tally.ts';

/** Which worlds are played. */
export type SimJob = {
  readonly seed: number;
  /** Seeds are this far apart. */
  readonly stride: number;
  readonly worlds: number;
  readonly subjects: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly server: 'model' | 'embedded';
  readonly sort: ReleaseSort;
};

/** `disruptions`: with more that takes pods away. */
export type ReleaseSort = 'releases' | 'disruptions';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

export async function simCommand(sort: ReleaseSort, words: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seed: { type: 'string', default: '1' },
      worlds: { type: 'string', default: '20' },
      minutes: { type: 'string', default: '60' },
      workers: { type: 'string', default: '1' },
      subjects: { type: 'string', default: '8' },
      rounds: { type: 'string', default: '4' },
      server: { type: 'string', default: 'model' },
      shrink: { type: 'boolean', default: true },
    },
    allowNegative: true,
  });
  const workers = Number(values.workers);
  const job: SimJob = {
    seed: Number(values.seed),
    stride: workers,
    worlds: Math.ceil(Number(values.worlds) / workers),
    subjects: Number(values.subjects),
    rounds: Number(values.rounds),
    seconds: Number(values.minutes) * 60,
    server: values.server === 'embedded' ? 'embedded' : 'model',
    sort,
  };
  const began = performance.now();
  const tally = workers === 1 ? await playJob(job) : await playInWorkers(job, workers);
  printTally(tally, (performance.now() - began) / 1000, job);
  const [first] = tally.failed;
  if (first !== undefined && values.shrink) await explain(first, job);
  return tally.failed.length === 0 ? 0 : 1;
}

/** Plays the worlds of a job one after the other. `tell` hears of the progress. */
export async function playJob(job: SimJob, tell?: (tally: SimTally) => void): Promise<SimTally> {
  const began = performance.now();
  const before = process.cpuUsage();
  // Faults are errors by the thousand, and nobody reads where they come from.
  Error.stackTraceLimit = 0;
  const tally = newTally();
  for (let number = 0; number < job.worlds && performance.now() - began < job.seconds * 1000; number += 1) {
    const seed = job.seed + number * job.stride;
    const played = await playWorld(planOf(seed, job), { server: job.server });
    tally.worlds += 1;
    tally.histories += played.histories;
    addCounts(tally.faults, played.faults);
    addCounts(tally.judged, played.judged);
    if (played.complaints.length > 0) {
      tally.failed.push(seed);
      say(`seed ${seed} breaks a rule: ${played.complaints.slice(0, 3).join('\n  ')}`);
    }
    const { user, system } = process.cpuUsage(before);
    tally.cpu = (user + system) / 1000;
    if (number % 50 === 49) tell?.(tally);
  }
  return tally;
}

const planOf = (seed: number, { subjects, rounds, sort }: SimJob): WorldPlan =>
  (sort === 'disruptions' ? planDisruptions : planWorld)(seed, { subjects, rounds });

async function playInWorkers(job: SimJob, workers: number): Promise<SimTally> {
  const tallies = await Promise.all(
    Array.from({ length: workers }, (_, number) => playInWorker({ ...job, seed: job.seed + number })),
  );
  const all = newTally();
  for (const tally of tallies) addTo(all, tally);
  return all;
}

function playInWorker(job: SimJob): Promise<SimTally> {
  const child = fork(fileURLToPath(new URL('sim-worker.ts', import.meta.url)), [JSON.stringify(job)]);
  return new Promise((resolve, reject) => {
    let last: SimTally | undefined;
    child.on('message', (message) => {
      last = message as SimTally;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0 && last !== undefined) resolve(last);
      else
        reject(
          new Error(`a worker ended with code ${code}; play its seeds from ${job.seed} without workers`),
        );
    });
  });
}

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

function printTally(tally: SimTally, took: number, { seed, stride }: SimJob): void {
  const { histories, worlds, faults, judged, failed, cpu } = tally;
  const each = (count: number): string => (count / Math.max(1, histories)).toFixed(1);
  say(
    `${histories} histories in ${worlds} worlds in ${took.toFixed(1)} s (${Math.round((histories / took) * 60)} a minute; ${(cpu / Math.max(1, histories)).toFixed(1)} ms of processor time each), seeds ${seed} to ${seed + worlds - 1}${stride > 1 ? ` in ${stride} processes` : ''}`,
  );
  say(`faults: ${listed(faults)}`);
  say(`seen and judged: ${listed(judged)}`);
  say(
    `in a history on average: ${each(sumOf(faults))} faults, ${each(judged['happenings'] ?? 0)} happenings and faults of the world, ${each(judged['calls'] ?? 0)} hook calls, ${each(judged['changes'] ?? 0)} changes`,
  );
  say(`${worlds - failed.length} worlds passed, ${failed.length} failed`);
}

/** Looks for a smaller plan that fails too, and prints its end. */
async function explain(seed: number, job: SimJob): Promise<void> {
  const options: PlayOptions = { server: job.server };
  const small = await shrink(
    planOf(seed, job),
    async (each) => (await playWorld(each, options)).complaints.length > 0,
  );
  const { trace, complaints } = await playWorld(small, { ...options, isTraced: true });
  say(
    `seed ${seed} is replayed by: npm run sim -- ${job.sort} --seed ${seed} --worlds 1 --subjects ${job.subjects} --rounds ${job.rounds}`,
  );
  say(`smallest plan that was found:\n${JSON.stringify(small, null, 1)}`);
  say(`its last changes:\n${trace.slice(-40).join('\n')}`);
  for (const complaint of complaints.slice(0, 5)) say(complaint);
}
