/**
 * `npm run sim`: plays releases and hook runs with faults on virtual time and checks after every change that no rule is
 * broken. `--seed N` starts with this seed, `--worlds N` plays so many, `--minutes N` ends after this time, `--workers N`
 * uses so many processes, `--subjects N` and `--rounds N` set the size of a world, `--server embedded` plays on the whole
 * embedded API server, `--no-shrink` looks for no smaller plan of a world that fails.
 */
import { simCommand } from '../tests/sim/sim-command.ts';

process.exitCode = await simCommand(process.argv.slice(2));
