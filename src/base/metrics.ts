/** Labels of one time series of a metric. Use few values: every combination is kept. */
export type Labels = Readonly<Record<string, string>>;

export type Figure = {
  readonly name: string;
  /** The help text. */
  readonly help: string;
  /** The names of its labels. */
  readonly labels: readonly string[];
};

export type Counter = { add(labels: Labels): void };
export type Gauge = { set(labels: Labels, value: number): void };
export type Histogram = { observe(labels: Labels, value: number): void };

/** The metrics of a process. Asking twice for a metric returns the same one. */
export type Metrics = {
  counter(figure: Figure): Counter;
  gauge(figure: Figure): Gauge;
  /** `bounds` rise; what is above the last is counted as well. */
  histogram(figure: Figure & { readonly bounds: readonly number[] }): Histogram;
  /** Removes all series with these labels, of every metric. */
  forget(labels: Labels): void;
};
