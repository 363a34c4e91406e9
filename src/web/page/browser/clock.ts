import { useSyncExternalStore } from 'react';
import { instant, parseTime, type Instant } from '#base/time.ts';

/** How far the clock of the server is ahead of the clock of this computer. */
let ahead = 0;

/**
 * Sets the clock by the time that the server reported in its answer to a request. Countdowns are right although this
 * computer's clock is not.
 */
export function setClockBy(serverTime: string, requestedAt: number): void {
  const time = parseTime(serverTime);
  if (time === undefined) return;
  // The server read its clock at some time between the request and the answer.
  const difference = time - (requestedAt + Date.now()) / 2;
  ahead = Math.abs(difference) < 2000 ? 0 : difference;
  tick();
}

/** A time of this computer's clock by the clock of the server. */
export const serverTime = (millis: number): Instant => instant(millis + ahead);

/** The time by the clock of the server. */
const serverNow = (): Instant => serverTime(Date.now());

let shown = serverNow();
const listeners = new Set<() => void>();
let timer: number | undefined;

function tick(): void {
  shown = serverNow();
  for (const each of listeners) each();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

/** The time, once a second. All components share one timer. */
export const useNow = (): Instant => useSyncExternalStore(subscribe, () => shown);

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const localTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** A time as this computer writes it, in its own time zone. */
export function formatLocal(time: Instant): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return (isToday ? localTime : local).format(date);
}
