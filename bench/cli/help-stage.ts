import type { Command } from 'commander';
import { programOf } from '#cli/program.ts';
import { median } from '../apiserver/statistics.ts';
import type { CliEffort, CliMeasurement } from './figures.ts';
import { runCommand } from './run-command.ts';

/** The time that `--help` of each verb takes, from the start of the launcher to its end. */
export async function helps(effort: CliEffort): Promise<CliMeasurement> {
  const verbs = pathsBelow(programOf('boathook', () => undefined));
  const times: { readonly verb: string; readonly millis: number; readonly rounds: readonly number[] }[] = [];
  for (const verb of verbs) {
    const rounds: number[] = [];
    await runCommand([...verb, '--help']);
    for (let round = 0; round < effort.verbRounds; round++)
      rounds.push((await runCommand([...verb, '--help'])).millis);
    times.push({ verb: verb.join(' '), millis: median(rounds), rounds });
  }
  const slowest = times.reduce((one, other) => (one.millis > other.millis ? one : other));
  process.stderr.write(`bench: the slowest verb is ${slowest.verb}\n`);
  const all = median(times.map(({ millis }) => millis));
  return {
    id: 'help',
    value: slowest.millis,
    rounds: slowest.rounds,
    details: { verbs: verbs.length, medianMillis: all },
  };
}

/** The words of all verbs: `release get`, `release set image`. */
const pathsBelow = (command: Command): readonly (readonly string[])[] =>
  command.commands
    .filter((each) => !each.name().startsWith('__'))
    .flatMap((each) => [[each.name()], ...pathsBelow(each).map((path) => [each.name(), ...path])]);
