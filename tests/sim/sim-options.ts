import { parseArgs } from 'node:util';
import type { WorldSize } from './plan-world.ts';
import type { SimJob } from './play-sorts.ts';
import { sortNames, type SortName } from './world-sorts.ts';

export const usage = `npm run sim -- [SORT] [OPTIONS]

Plays worlds with faults on virtual time and checks after every change that no rule is broken.

SORT  releases (unless given): releases and hook runs
      disruptions: releases with more that takes pods away
      budgets: releases of workloads that share disruption budgets
      hookruns: hook runs with several metrics
      machines: operations of boathook cluster
      registrations: instances of CRDRegistrations
      all: all of them, with the same processor time for each

--seed N        the first seed of each sort (1)
--worlds N      the number of worlds of each sort (20; with --seed 1; no limit with --histories or --minutes)
--histories N   begin no further world after so many histories
--minutes N     begin no further world after this time (60)
--workers N     the number of processes (1)
--no-shrink     do not look for a smaller plan of a world that fails
--subjects N, --rounds N    the size of a world of releases, disruptions, budgets and hookruns
--server embedded           play these on the embedded API server
--plan FILE                 play a plan that was printed, of one SORT; - reads it from the standard input

--seed N alone plays this seed of every sort again, and SORT --seed N that of one sort.`;

const options = {
  help: { type: 'boolean', short: 'h', default: false },
  seed: { type: 'string' },
  worlds: { type: 'string' },
  histories: { type: 'string' },
  minutes: { type: 'string' },
  workers: { type: 'string' },
  subjects: { type: 'string' },
  rounds: { type: 'string' },
  server: { type: 'string', default: 'model' },
  plan: { type: 'string' },
  shrink: { type: 'boolean', default: true },
} as const;

export type SimOptions = {
  readonly job: SimJob;
  readonly minutes: number;
  readonly workers: number;
  readonly isShrunk: boolean;
  /** Where the plan is that is played in place of those of seeds. */
  readonly planFile: string | undefined;
};

/** What the words of `npm run sim` ask for; `help`: they ask for the usage, or cannot be read. */
export type SimAsked =
  { readonly type: 'play'; readonly options: SimOptions } | { readonly type: 'help'; readonly why?: string };

export function readSimOptions(words: readonly string[]): SimAsked {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options,
      allowNegative: true,
      allowPositionals: true,
    });
    return values.help ? { type: 'help' } : { type: 'play', options: optionsOf(values, positionals) };
  } catch (error) {
    return { type: 'help', why: (error as Error).message };
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

function optionsOf(values: Values, positionals: readonly string[]): SimOptions {
  const { seed, worlds, server, shrink, plan } = values;
  if (server !== 'model' && server !== 'embedded') throw new Error(`There is no server ${server}.`);
  const number = (name: NumberName, usual: number): number => numberOf(name, values[name] ?? String(usual));
  const isBounded = (values.histories ?? values.minutes) !== undefined;
  const isReplay = seed !== undefined && worlds === undefined && !isBounded;
  const sorts = sortsOf(positionals, isReplay ? 'all' : 'releases');
  if (plan !== undefined) checkPlan(values, sorts);
  return {
    job: {
      sorts,
      seed: number('seed', 1),
      worlds: number('worlds', isReplay || plan !== undefined ? 1 : isBounded ? Infinity : 20),
      histories: number('histories', Infinity),
      size: sizeOf(values),
      server,
    },
    minutes: number('minutes', 60),
    workers: number('workers', 1),
    isShrunk: shrink,
    planFile: plan,
  };
}

function checkPlan({ seed, worlds, subjects, rounds }: Values, sorts: readonly SortName[]): void {
  if (sorts.length > 1) throw new Error('--plan is of one sort.');
  if ((seed ?? worlds ?? subjects ?? rounds) !== undefined)
    throw new Error('--plan has a seed and a size of its own.');
}

type NumberName = 'seed' | 'worlds' | 'histories' | 'minutes' | 'workers' | 'subjects' | 'rounds';

function numberOf(name: NumberName, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new Error(`--${name} ${text} is no number.`);
  return value;
}

const sizeOf = ({ subjects, rounds }: Values): WorldSize | undefined =>
  subjects === undefined && rounds === undefined
    ? undefined
    : { subjects: numberOf('subjects', subjects ?? '8'), rounds: numberOf('rounds', rounds ?? '4') };

function sortsOf(words: readonly string[], usual: 'all' | 'releases'): readonly SortName[] {
  const [name = usual, ...more] = words;
  if (more.length > 0) throw new Error(`Only one SORT can be given, not ${words.join(' ')}.`);
  if (name === 'all') return sortNames;
  const found = sortNames.find((each) => each === name);
  if (found === undefined) throw new Error(`There is no sort ${name}.`);
  return [found];
}
