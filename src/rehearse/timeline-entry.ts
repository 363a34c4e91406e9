/** A line of the timeline. */
export type TimelineEntry = {
  /** Seconds after the change. */
  readonly at: number;
  /** Of entries at the same time the lower is first. */
  readonly order: number;
  readonly tone: 'plain' | 'good' | 'bad' | 'assumed';
  readonly text: string;
};
