/** Labels of one time series of a metric. Use few values: every combination is kept. */
export type Labels = Readonly<Record<string, string>>;

type Described = {
  readonly name: string;
  /** The help text. */
  readonly help: string;
  /** The names of its labels, and what each of them can be. */
  readonly labels: Labels;
};

export type CounterDescription = Described & { readonly type: 'counter' };
export type GaugeDescription = Described & { readonly type: 'gauge' };
/** `bounds` rise; what is above the last is counted as well. */
export type HistogramDescription = Described & {
  readonly type: 'histogram';
  readonly bounds: readonly number[];
};

/** A metric as a value: the reference page, the dashboard of Grafana and the alerts are checked against these. */
export type MetricDescription = CounterDescription | GaugeDescription | HistogramDescription;

export type Counter = {
  /** Adds 1 unless another number is given. 0 makes a series that is seen before anything happened. */
  add(labels: Labels, by?: number): void;
};
export type Gauge = { set(labels: Labels, value: number): void };
export type Histogram = { observe(labels: Labels, value: number): void };

export type Sample = { readonly labels: Labels; readonly value: number };

/** The metrics of a process. Asking twice for a metric returns the same one. */
export type Metrics = {
  counter(about: CounterDescription): Counter;
  gauge(about: GaugeDescription): Gauge;
  histogram(about: HistogramDescription): Histogram;
  /**
   * A metric that is read when somebody scrapes, and costs nothing until then. Samples of several readers with the
   * same labels are added up. Returns how to end it.
   */
  sampled(about: CounterDescription | GaugeDescription, read: () => Iterable<Sample>): () => void;
  /** Removes all series with these labels, of every metric. */
  forget(labels: Labels): void;
};
