/** A process that plays a part of the worlds of `npm run sim --workers` and sends its counts. */
import { playJob, type SimJob } from './sim-command.ts';

const job = JSON.parse(process.argv[2] ?? '{}') as SimJob;
const tally = await playJob(job, (sofar) => process.send?.(sofar));
process.send?.(tally);
process.disconnect();
