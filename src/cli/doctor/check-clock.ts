import { instant, seconds, type Instant } from '#base/time.ts';
import type { Diagnosis } from './diagnosis.ts';

/** The Date header of a response counts whole seconds, and the response takes a moment. */
const most = seconds(5);

/** Compares the clock of this machine with that of the API server, as its `Date` header has it. */
export function checkClock(now: Instant, date: string | undefined): Diagnosis {
  const server = serverTime(date);
  if (server === undefined)
    return {
      check: 'clock',
      state: 'unknown',
      message: 'The API server sends no time, so the clocks cannot be compared.',
    };
  const apart = Math.round((now - server) / 1000);
  if (Math.abs(now - server) <= most)
    return { check: 'clock', state: 'ok', message: 'The clock of this machine is that of the API server.' };
  const which = apart > 0 ? 'ahead of' : 'behind';
  return {
    check: 'clock',
    state: 'warning',
    message: `The clock of this machine is ${Math.abs(apart)} s ${which} that of the API server.`,
    remedy: 'Synchronize the clocks of machines and nodes with NTP: times in status and events are theirs.',
  };
}

/** The time in a `Date` header. */
export function serverTime(date: string | undefined): Instant | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : instant(time);
}
