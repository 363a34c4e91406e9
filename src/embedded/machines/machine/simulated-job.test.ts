import { expect, test } from 'vitest';
import { SimulatedJob } from './simulated-job.ts';

const started = (): SimulatedJob =>
  new SimulatedJob(
    { pid: 1, since: 0, about: 'cluster node operation step fingerprint' },
    { outputLimit: 1000, tailLimit: 1000 },
  );

test.for([
  { what: 'a script that ends by itself', stop: undefined, code: 3, outcome: 'exited code=3' },
  { what: 'a script that was cancelled', stop: 'cancelled', code: undefined, outcome: 'cancelled code=143' },
  { what: 'a script that took too long', stop: 'timed-out', code: undefined, outcome: 'timed-out code=143' },
  {
    what: 'a script that ends in the moment in which it is cancelled',
    stop: 'cancelled',
    code: 0,
    outcome: 'exited code=0',
  },
] as const)('$what has the outcome $outcome', ({ stop, code, outcome }) => {
  const job = started();
  if (stop !== undefined) job.stop(stop);
  expect(job.end(code)).toBe(true);
  expect(job.outcome).toBe(`outcome=${outcome} escaped=`);
});

test('a script that ends in the moment in which its machine crashes has no result', () => {
  const job = started();
  job.vanish();
  expect(job.end(0)).toBe(false);
  expect(job.outcome).toBe('outcome=rebooted');
});
