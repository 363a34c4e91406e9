/** A panel: `targets` are pairs of a legend and an expression. */
export type Panel = {
  readonly title: string;
  readonly description?: string;
  readonly type?: 'timeseries' | 'stat';
  readonly unit?: 's' | 'percentunit' | 'reqps' | 'ops' | 'bytes';
  readonly targets: readonly (readonly [legend: string, expr: string])[];
};
export type PanelRow = { readonly title: string; readonly panels: readonly Panel[] };

const window = '$__rate_interval';
const job = 'job=~"$job"';

const series = (metric: string, matcher = ''): string =>
  `${metric}{${matcher === '' ? job : `${job}, ${matcher}`}}`;
const sum = (label: string, expr: string): string => `sum${label === '' ? '' : ` by (${label})`} (${expr})`;
const rate = (metric: string, label: string, matcher?: string): string =>
  sum(label, `rate(${series(metric, matcher)}[${window}])`);
const quantile = (share: number, metric: string, label: string): string =>
  `histogram_quantile(${share}, ${rate(`${metric}_bucket`, `${label}, le`)})`;

/** The panels of the dashboard. */
export const panels: readonly PanelRow[] = [
  {
    title: 'Controllers',
    panels: [
      { title: 'Leaders', type: 'stat', targets: [['leaders', sum('', series('boathook_leader'))]] },
      { title: 'Shards held', targets: [['{{pod}}', sum('pod', series('boathook_shards_held'))]] },
      {
        title: 'Version',
        type: 'stat',
        targets: [['{{version}}', sum('version', series('boathook_build_info'))]],
      },
      {
        title: 'Reconciliations',
        unit: 'ops',
        targets: [
          ['{{controller}} {{outcome}}', rate('boathook_reconciliations_total', 'controller, outcome')],
        ],
      },
      {
        title: 'Duration of reconciliations, 95 %',
        unit: 's',
        targets: [
          ['{{controller}}', quantile(0.95, 'boathook_reconciliation_duration_seconds', 'controller')],
        ],
      },
      {
        title: 'Work queues',
        targets: [
          ['{{controller}} waiting', sum('controller', series('boathook_work_queue_depth'))],
          ['{{controller}} running', sum('controller', series('boathook_work_queue_running'))],
        ],
      },
    ],
  },
  {
    title: 'Releases',
    panels: [
      {
        title: 'Releases by phase',
        targets: [['{{kind}} {{phase}}', sum('kind, phase', series('boathook_releases'))]],
      },
      {
        title: 'Releases that ended, per hour',
        targets: [
          [
            '{{outcome}} {{cause}}',
            sum('outcome, cause', `increase(${series('boathook_releases_ended_total')}[1h])`),
          ],
        ],
      },
      {
        title: 'Duration of releases, median',
        description: 'All of it, and the parts in which the release moved and in which it was paused.',
        unit: 's',
        targets: [
          ['{{outcome}} total', quantile(0.5, 'boathook_release_duration_seconds', 'outcome')],
          ['{{outcome}} progressing', quantile(0.5, 'boathook_release_progressing_seconds', 'outcome')],
          ['{{outcome}} paused', quantile(0.5, 'boathook_release_paused_seconds', 'outcome')],
        ],
      },
    ],
  },
  {
    title: 'Hooks',
    panels: [
      {
        title: 'Measurements',
        unit: 'ops',
        targets: [
          ['{{provider}} {{outcome}}', rate('boathook_hook_measurements_total', 'provider, outcome')],
        ],
      },
      {
        title: 'Latency and lateness, 95 %',
        unit: 's',
        targets: [
          ['{{provider}} latency', quantile(0.95, 'boathook_hook_measurement_latency_seconds', 'provider')],
          ['{{provider}} lateness', quantile(0.95, 'boathook_hook_measurement_lateness_seconds', 'provider')],
        ],
      },
      {
        title: 'Verdicts, per hour',
        targets: [['{{verdict}}', sum('verdict', `increase(${series('boathook_hook_verdicts_total')}[1h])`)]],
      },
      {
        title: 'Hook runs by phase',
        targets: [['{{phase}}', sum('phase', series('boathook_hook_runs'))]],
      },
    ],
  },
  {
    title: 'Machines',
    panels: [
      {
        title: 'Clusters and machines by phase',
        targets: [['{{kind}} {{phase}}', sum('kind, phase', series('boathook_machine_objects'))]],
      },
      {
        title: 'Operations, per hour',
        targets: [
          [
            '{{operation}} {{outcome}}',
            sum('operation, outcome', `increase(${series('boathook_machine_operations_total')}[1h])`),
          ],
        ],
      },
      {
        title: 'Steps',
        unit: 'ops',
        targets: [['{{kind}} {{outcome}}', rate('boathook_machine_steps_total', 'kind, outcome')]],
      },
      {
        title: 'Duration, 95 %',
        unit: 's',
        targets: [
          ['step {{kind}}', quantile(0.95, 'boathook_machine_step_duration_seconds', 'kind')],
          ['{{operation}}', quantile(0.95, 'boathook_machine_operation_duration_seconds', 'operation')],
        ],
      },
    ],
  },
  {
    title: 'Registrations',
    panels: [
      {
        title: 'Calls of reconcile hooks',
        unit: 'reqps',
        targets: [
          [
            '{{registration}} {{phase}} {{outcome}}',
            rate('boathook_reconcile_hook_calls_total', 'registration, phase, outcome'),
          ],
        ],
      },
      {
        title: 'Duration of calls, 95 %',
        unit: 's',
        targets: [
          ['{{registration}}', quantile(0.95, 'boathook_reconcile_hook_duration_seconds', 'registration')],
        ],
      },
      {
        title: 'Calls in flight',
        targets: [
          ['{{registration}}', sum('registration', series('boathook_reconcile_hook_calls_in_flight'))],
        ],
      },
      {
        title: 'Reconciliations of instances',
        unit: 'ops',
        targets: [
          [
            '{{registration}} {{outcome}}',
            rate('boathook_registration_reconciliations_total', 'registration, outcome'),
          ],
        ],
      },
    ],
  },
  {
    title: 'API server',
    panels: [
      {
        title: 'Requests',
        unit: 'reqps',
        targets: [['{{method}} {{code}}', rate('boathook_api_requests_total', 'method, code')]],
      },
      {
        title: 'Duration of requests, 95 %',
        unit: 's',
        targets: [['{{method}}', quantile(0.95, 'boathook_api_request_duration_seconds', 'method')]],
      },
      {
        title: 'Throttling',
        targets: [
          ['429 per second', rate('boathook_api_throttled_total', '')],
          ['waiting requests', rate('boathook_api_throttled_seconds_total', '')],
          ['limit', sum('', series('boathook_api_rate_limit'))],
        ],
      },
    ],
  },
  {
    title: 'Process',
    panels: [
      {
        title: 'Memory',
        unit: 'bytes',
        targets: [['{{instance}}', series('process_resident_memory_bytes')]],
      },
      {
        title: 'CPU',
        unit: 'percentunit',
        targets: [['{{instance}}', `rate(${series('process_cpu_seconds_total')}[${window}])`]],
      },
      {
        title: 'Event loop lag, 99 %',
        unit: 's',
        targets: [['{{instance}}', series('nodejs_eventloop_lag_p99_seconds')]],
      },
    ],
  },
];
