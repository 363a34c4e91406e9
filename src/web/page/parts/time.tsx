import type { ReactElement } from 'react';
import { parseTime } from '#base/time.ts';
import { formatLocal, useNow } from '#web/page/browser/clock.ts';
import { countdown, relativeTime } from '#web/page/model/show-time.ts';

type TimeGiven = { readonly of: string };

/** A time in the time zone of the user, with UTC as its title. */
export function Time({ of }: TimeGiven): ReactElement {
  const time = parseTime(of);
  if (time === undefined) return <span>{of === '' ? '–' : of}</span>;
  return (
    <time dateTime={of} title={`${of} (UTC)`}>
      {formatLocal(time)}
    </time>
  );
}

/** How long ago, with the local time and UTC as its title. */
export function Ago({ of }: TimeGiven): ReactElement {
  const now = useNow();
  const time = parseTime(of);
  if (time === undefined) return <span>–</span>;
  return (
    <time dateTime={of} title={`${formatLocal(time)} · ${of} (UTC)`}>
      {relativeTime(of, now)}
    </time>
  );
}

/** The time that is left. It is not read aloud every second. */
export function Countdown({ of }: TimeGiven): ReactElement {
  const now = useNow();
  return (
    <time className="countdown" dateTime={of} title={`until ${of} (UTC)`} role="timer" aria-live="off">
      {countdown(of, now)}
    </time>
  );
}
