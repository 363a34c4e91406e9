/** `npm run sim`: plays releases, hook runs, machine operations and registrations with faults; `--help` names the options. */
import { simCommand } from '../tests/sim/sim-command.ts';

// Worlds that failed may have timers left.
process.exit(await simCommand(process.argv.slice(2)));
