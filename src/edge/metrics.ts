import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type {
  CounterDescription,
  GaugeDescription,
  Labels,
  MetricDescription,
  Metrics,
  Sample,
} from '#base/metrics.ts';

/** The metrics of this process, as Prometheus reads them. */
export type Exposition = Metrics & {
  readonly contentType: string;
  /** The present state of everything, for one scrape. */
  text(): Promise<string>;
};

type Removable = { remove(labels: Labels): void };
type Kept<Of extends Removable> = { readonly metric: Of; readonly series: Map<string, Labels> };
type Read = () => Iterable<Sample>;

/** A registry of its own: one process may run several control planes. `ofProcess` adds memory, CPU and event loop. */
export function createMetrics({ ofProcess }: { readonly ofProcess: boolean }): Exposition {
  const register = new Registry();
  const registers = [register];
  if (ofProcess) collectDefaultMetrics({ register });
  const all = new Map<string, Kept<Removable>>();
  const sampled = new Map<string, Sampled>();
  const kept = <Of extends Removable>(name: string, make: () => Of): Kept<Of> => {
    // One name is one type of metric with the same labels.
    const known = all.get(name) as Kept<Of> | undefined;
    if (known !== undefined) return known;
    const made = { metric: make(), series: new Map<string, Labels>() };
    all.set(name, made);
    return made;
  };
  return {
    counter(about) {
      const { metric, series } = kept(about.name, () => new Counter({ ...described(about), registers }));
      return { add: (labels, by) => metric.inc(noted(series, labels), by) };
    },
    gauge(about) {
      const { metric, series } = kept(about.name, () => new Gauge({ ...described(about), registers }));
      return { set: (labels, value) => metric.set(noted(series, labels), value) };
    },
    histogram(about) {
      const options = { ...described(about), buckets: [...about.bounds], registers };
      const { metric, series } = kept(about.name, () => new Histogram(options));
      return { observe: (labels, value) => metric.observe(noted(series, labels), value) };
    },
    sampled(about, read) {
      const found = sampled.get(about.name) ?? sampledMetric(about, registers);
      const { reads } = found;
      sampled.set(about.name, found);
      reads.add(read);
      return () => void reads.delete(read);
    },
    forget(labels) {
      const wanted = Object.entries(labels);
      for (const { metric, series } of all.values())
        for (const [key, each] of series)
          if (wanted.every(([name, value]) => each[name] === value)) {
            metric.remove(each);
            series.delete(key);
          }
    },
    contentType: register.contentType,
    text: () => register.metrics(),
  };
}

const described = ({ name, help, labels }: MetricDescription) => ({
  name,
  help,
  labelNames: Object.keys(labels),
});

type Sampled = { readonly metric: Counter | Gauge; readonly reads: Set<Read> };

function sampledMetric(about: CounterDescription | GaugeDescription, registers: Registry[]): Sampled {
  const reads = new Set<Read>();
  const options = { ...described(about), registers, collect: collectFrom(reads) };
  return { metric: about.type === 'counter' ? new Counter(options) : new Gauge(options), reads };
}

type Collecting = { reset(): void; inc(labels: Record<string, string>, value: number): unknown };

/** The library calls it with the metric itself at every scrape. */
const collectFrom = (reads: ReadonlySet<Read>) =>
  function collect(this: Collecting): void {
    this.reset();
    for (const read of reads) for (const { labels, value } of read()) this.inc(labels, value);
  };

/** The library removes a series only by all of its labels, so these are kept. */
function noted(series: Map<string, Labels>, labels: Labels): Record<string, string> {
  series.set(Object.values(labels).join('\0'), labels);
  return labels;
}
