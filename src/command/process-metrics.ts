import type { MetricDescription, Metrics } from '#base/metrics.ts';
import { packageVersion } from './package-version.ts';

/** The metrics of the process itself. */
export const processMetrics = {
  leader: {
    type: 'gauge',
    name: 'boathook_leader',
    help: 'Whether the controllers of this process are at work: 1 or 0; with --shards the share of the shards that they work on.',
    labels: {},
  },
  shards: {
    type: 'gauge',
    name: 'boathook_shards_held',
    help: 'Shards whose objects this process reconciles. Only with --shards.',
    labels: {},
  },
  build: {
    type: 'gauge',
    name: 'boathook_build_info',
    help: 'Always 1.',
    labels: { version: 'Version of Boathook.', node: 'Version of Node.' },
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;

/** The version of the program, for the metrics. */
export const showBuild = (metrics: Metrics): void =>
  metrics.gauge(processMetrics.build).set({ version: packageVersion(), node: process.versions.node }, 1);
