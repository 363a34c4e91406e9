import { millis, type Millis } from '#base/time.ts';

export const profileNames = ['instant', 'fast', 'realistic'] as const;
export type ProfileName = (typeof profileNames)[number];

/** A span drawn between `least` and `most`. */
export type SpanRange = { readonly least: Millis; readonly most: Millis };

/** Default durations. */
export type Profile = {
  readonly schedule: SpanRange;
  readonly pull: SpanRange;
  readonly start: SpanRange;
  /** How long an init container runs. */
  readonly init: SpanRange;
  /** How long a container of a Job runs. */
  readonly job: SpanRange;
  /** From SIGTERM to the end. */
  readonly term: SpanRange;
  /** Between ErrImagePull and ImagePullBackOff. */
  readonly pullPause: SpanRange;
  /** How much of a probe's own timing is kept while it succeeds: 0 makes probes succeed at once. */
  readonly probeTiming: number;
  /** Whether routine events are recorded too. */
  readonly routineEvents: boolean;
};

const range = (least: number, most: number = least): SpanRange => ({
  least: millis(least),
  most: millis(most),
});

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  instant: {
    schedule: range(0),
    pull: range(0),
    start: range(0),
    init: range(0),
    job: range(0),
    term: range(0),
    pullPause: range(1000),
    probeTiming: 0,
    routineEvents: false,
  },
  fast: {
    schedule: range(0),
    pull: range(50, 150),
    start: range(20, 80),
    init: range(50, 150),
    job: range(500, 1000),
    term: range(50, 150),
    pullPause: range(1000),
    probeTiming: 0.1,
    routineEvents: true,
  },
  realistic: {
    schedule: range(5, 50),
    pull: range(800, 4000),
    start: range(200, 800),
    init: range(1000, 3000),
    job: range(5000, 10_000),
    term: range(300, 1500),
    pullPause: range(10_000, 15_000),
    probeTiming: 1,
    routineEvents: true,
  },
};
