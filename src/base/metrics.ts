/** Values that tell the series of one figure apart. Few of each: every combination is kept. */
export type Labels = Readonly<Record<string, string>>;

export type Figure = {
  readonly name: string;
  /** A sentence for people. */
  readonly help: string;
  /** The names of its labels. */
  readonly labels: readonly string[];
};

export type Counter = { add(labels: Labels): void };
export type Gauge = { set(labels: Labels, value: number): void };
export type Histogram = { observe(labels: Labels, value: number): void };

/** What a process counts and measures of itself, for whoever watches it. Asking twice for a figure gives the same. */
export type Metrics = {
  counter(figure: Figure): Counter;
  gauge(figure: Figure): Gauge;
  /** `bounds` rise; what is above the last is counted as well. */
  histogram(figure: Figure & { readonly bounds: readonly number[] }): Histogram;
  /** Forgets all series with these labels, of whichever figure: what they were about is gone. */
  forget(labels: Labels): void;
};
