/**
 * `npm run sim [-- releases]`: plays releases and hook runs with faults on virtual time and checks after every change that no rule is
 * broken; `npm run sim -- disruptions` does so with more that takes pods away; `npm run sim -- machines` and `npm run sim -- registrations` do so for operations on machines and for
 * registrations. `--seed N` starts with this seed, `--worlds N` plays so many, `--no-shrink` looks for no smaller plan of
 * a world that fails. For releases: `--minutes N` ends after this time, `--workers N` uses so many processes, `--subjects
 * N` and `--rounds N` set the size of a world, `--server embedded` plays on the whole embedded API server.
 */
async function main(words: readonly string[]): Promise<number> {
  const [sort, ...rest] = words;
  switch (sort) {
    case 'machines': {
      const { machineWorlds } = await import('../tests/sim/machines/machine-worlds.ts');
      return (await import('../tests/sim/play-worlds.ts')).playWorlds(machineWorlds, rest);
    }
    case 'registrations': {
      const { registrationWorlds } = await import('../tests/sim/registrations/registration-worlds.ts');
      return (await import('../tests/sim/play-worlds.ts')).playWorlds(registrationWorlds, rest);
    }
    default: {
      const { simCommand } = await import('../tests/sim/sim-command.ts');
      if (sort === 'disruptions') return simCommand(sort, rest);
      return simCommand('releases', sort === 'releases' ? rest : words);
    }
  }
}

// Worlds that failed may have timers left.
process.exit(await main(process.argv.slice(2)));
