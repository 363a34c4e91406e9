import { useEffect, useRef, type ReactElement } from 'react';
import type { MeasurementPoint, MetricChart } from '#web/wire/hook-pages.ts';
import { drawChart } from '#web/page/browser/draw-chart.ts';
import { onThemeChange } from '#web/page/browser/theme.ts';
import { Status, StatusMark } from './status.tsx';
import { Time } from './time.tsx';

type MetricPanelGiven = {
  readonly chart: MetricChart;
  /** The level of the heading: one below that of the part it is in. */
  readonly heading: 'h3' | 'h4';
};

/** A metric: its conditions, its values as a chart with thresholds, and the evidence of each call. */
export function MetricPanel({ chart, heading: Heading }: MetricPanelGiven): ReactElement {
  const { metric, phase, successCondition, failureCondition, points } = chart;
  return (
    <article className="metric" aria-label={`Metric ${metric}`}>
      <header className="metric-head">
        <Heading>{metric}</Heading>
        <Status word={phase} />
      </header>
      <dl className="pairs">
        {successCondition === undefined ? null : (
          <>
            <dt>Passes if</dt>
            <dd>
              <code>{successCondition}</code>
            </dd>
          </>
        )}
        {failureCondition === undefined ? null : (
          <>
            <dt>Fails if</dt>
            <dd>
              <code>{failureCondition}</code>
            </dd>
          </>
        )}
      </dl>
      {points.some(({ number }) => number !== undefined) ? <Chart chart={chart} /> : null}
      {points.length === 0 ? (
        <p className="hint">No call has returned yet.</p>
      ) : (
        <ol className="calls" aria-label={`Calls of ${metric}, oldest first`}>
          {points.map((point, index) => (
            <li key={`${point.time} ${index}`}>
              <Call point={point} />
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}

function Chart({ chart }: { readonly chart: MetricChart }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    let drawn = drawChart(element, chart);
    const leave = onThemeChange(() => {
      drawn.remove();
      drawn = drawChart(element, chart);
    });
    return () => {
      leave();
      drawn.remove();
    };
  }, [chart]);
  return <div ref={place} className="chart" role="img" aria-label={chartText(chart)} />;
}

function chartText({ metric, points, thresholds }: MetricChart): string {
  const values = points.flatMap(({ number }) => (number === undefined ? [] : [number])).join(', ');
  const lines = thresholds.map(({ label }) => label).join(', ');
  return `Chart of ${metric}: values ${values}${lines === '' ? '' : `; threshold ${lines}`}`;
}

/** One call: the value at first sight, request, reply and evaluation one click away. */
function Call({ point }: { readonly point: MeasurementPoint }): ReactElement {
  const { time, phase, value, message, latencyMillis, request, reply, evaluation } = point;
  const evidence = [
    ['Evaluation', evaluation],
    ['Message', message === '' ? undefined : message],
    ['Request', request],
    ['Reply', reply],
  ] as const;
  return (
    <details className="call">
      <summary>
        <StatusMark word={phase} />
        <span className="value">{value === '' ? 'no value' : value}</span>
        <span className="hint">
          <Time of={time} />
          {latencyMillis === undefined ? null : ` · ${latencyMillis} ms`}
        </span>
      </summary>
      <dl className="evidence">
        {evidence.map(([name, text]) =>
          text === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <pre className="text">{text}</pre>
              </dd>
            </div>
          ),
        )}
      </dl>
    </details>
  );
}
