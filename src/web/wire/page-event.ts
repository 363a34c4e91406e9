/** An Event about an object of a page. */
export type PageEvent = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** RFC 3339: the last time. */
  readonly time: string;
};
