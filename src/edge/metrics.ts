import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Figure, Labels, Metrics } from '#base/metrics.ts';

/** The figures of this process, as Prometheus reads them. */
export type Exposition = Metrics & {
  readonly contentType: string;
  /** The present state of everything, for one scrape. */
  text(): Promise<string>;
};

type Removable = { remove(labels: Labels): void };
type Kept<Of extends Removable> = { readonly figure: Of; readonly series: Map<string, Labels> };

/** A registry of its own: one process may run several control planes. `ofProcess` adds memory, CPU and event loop. */
export function createMetrics({ ofProcess }: { readonly ofProcess: boolean }): Exposition {
  const register = new Registry();
  const registers = [register];
  if (ofProcess) collectDefaultMetrics({ register });
  const all = new Map<string, Kept<Removable>>();
  const kept = <Of extends Removable>(name: string, make: () => Of): Kept<Of> => {
    // One name is one type of metric with the same labels.
    const known = all.get(name) as Kept<Of> | undefined;
    if (known !== undefined) return known;
    const made = { figure: make(), series: new Map<string, Labels>() };
    all.set(name, made);
    return made;
  };
  return {
    counter(figure) {
      const { figure: counter, series } = kept(
        figure.name,
        () => new Counter({ ...described(figure), registers }),
      );
      return { add: (labels) => counter.inc(noted(series, labels)) };
    },
    gauge(figure) {
      const { figure: gauge, series } = kept(
        figure.name,
        () => new Gauge({ ...described(figure), registers }),
      );
      return { set: (labels, value) => gauge.set(noted(series, labels), value) };
    },
    histogram(figure) {
      const options = { ...described(figure), buckets: [...figure.bounds], registers };
      const { figure: histogram, series } = kept(figure.name, () => new Histogram(options));
      return { observe: (labels, value) => histogram.observe(noted(series, labels), value) };
    },
    forget(labels) {
      const wanted = Object.entries(labels);
      for (const { figure, series } of all.values())
        for (const [key, each] of series)
          if (wanted.every(([name, value]) => each[name] === value)) {
            figure.remove(each);
            series.delete(key);
          }
    },
    contentType: register.contentType,
    text: () => register.metrics(),
  };
}

const described = ({ name, help, labels }: Figure) => ({ name, help, labelNames: [...labels] });

/** The library removes a series only by all of its labels, so these are kept. */
function noted(series: Map<string, Labels>, labels: Labels): Record<string, string> {
  series.set(Object.values(labels).join('\0'), labels);
  return labels;
}
