import type { MetricDescription } from '#base/metrics.ts';
import { metricTable } from '#cli/metric-table.ts';

/** `docs/reference/metrics.md`: every metric, printed from the table. */
export function metricsPage(): string {
  const groups = metricTable.map(
    ({ title, metrics }) => `## ${title}\n\n${metrics.map(section).join('\n\n')}`,
  );
  return `# Metrics

\`boathook controller\` and \`boathook up\` serve these at \`/metrics\` when \`--metrics-address\` is given; nothing is counted
without it. Label sets are small and fixed: no label has the name of an object, except \`registration\` (a cluster has few
CRDRegistrations). Metrics of the process (\`process_…\`, \`nodejs_…\`) come with them.

A counter that has not counted anything yet is 0 from the start where its labels are known. Gauges of phases and queues are
read when Prometheus scrapes. Controllers start with the first object of their kind, and their metrics with them. Histograms
have the series \`_bucket\`, \`_sum\` and \`_count\`.

${groups.join('\n\n')}
`;
}

function section(metric: MetricDescription): string {
  const labels = Object.entries(metric.labels).map(([name, values]) => `| \`${name}\` | ${values} |`);
  const table = labels.length === 0 ? [] : ['', '| Label | Values |', '| --- | --- |', ...labels];
  const bounds = metric.type === 'histogram' ? ` Bounds: ${metric.bounds.join(', ')}.` : '';
  return [`### ${metric.name}`, '', `${capital(metric.type)}. ${metric.help}${bounds}`, ...table].join('\n');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
