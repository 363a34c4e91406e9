import { instant, type Clock } from './time.ts';

/** A clock for spans only: nobody can set it. Its times are not those of the calendar. */
export const steadyClock = (clock: Clock): Clock => ({
  now: () => instant(clock.steady?.() ?? clock.now()),
  sleep: (span, signal) => clock.sleep(span, signal),
  after: (span, task) => clock.after(span, task),
});
