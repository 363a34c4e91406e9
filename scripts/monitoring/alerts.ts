/** An alert of Prometheus, before it is printed. */
type AlertSource = {
  readonly name: string;
  readonly expr: (terms: Terms) => string;
  /** How many minutes the expression must hold; none: it fires at once. */
  readonly for?: number;
  readonly severity: 'critical' | 'warning' | 'info';
  readonly summary: string;
  /** What it means, and what to do. */
  readonly description: string;
};

/** An alert as Prometheus has it. */
export type Alert = Omit<AlertSource, 'expr' | 'for'> & { readonly expr: string; readonly for?: string };

/** Minutes as PromQL has them. Tests make them shorter. */
export type AlertTimes = {
  /** The span that an expression looks at. */
  readonly span: (minutes: number) => string;
  /** How long it must hold. */
  readonly hold: (minutes: number) => string;
};

const asWritten = (minutes: number): string => (minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`);
const real: AlertTimes = { span: asWritten, hold: asWritten };

/** Labels that Prometheus gives every target. Two installations of Boathook are never added up. */
const target = ['job', 'namespace'];
const by = (...labels: readonly string[]): string => `by (${[...target, ...labels].join(', ')})`;

/** What expressions are made of. */
type Terms = Pick<AlertTimes, 'span'> & {
  /** The rate of a series over 5 minutes, summed up by labels. */
  readonly rate: (series: string, ...labels: readonly string[]) => string;
  /** The share of the series that match. */
  readonly share: (metric: string, matcher: string, ...labels: readonly string[]) => string;
};

function termsOf({ span }: Pick<AlertTimes, 'span'>): Terms {
  const rate: Terms['rate'] = (series, ...labels) => `sum ${by(...labels)} (rate(${series}[${span(5)}]))`;
  const share: Terms['share'] = (metric, matcher, ...labels) =>
    `${rate(`${metric}{${matcher}}`, ...labels)} / ${rate(metric, ...labels)}`;
  return { span, rate, share };
}

const sources: readonly AlertSource[] = [
  {
    name: 'BoathookAbsent',
    expr: () => 'absent(boathook_build_info)',
    for: 5,
    severity: 'critical',
    summary: 'No controller of Boathook is scraped',
    description:
      'Releases, hooks and machines stand still. See whether the pods run and are ready (kubectl -n boathook-system get pods), and whether Prometheus may reach their metrics port.',
  },
  {
    name: 'BoathookNoLeader',
    expr: () => `sum ${by()} (boathook_leader) < 0.99`,
    for: 1,
    severity: 'critical',
    summary: 'No controller leads, or a shard has no holder',
    description:
      'Controllers run, but none holds the Lease, or nobody holds the Lease of a shard, so objects are not reconciled. See who holds them (boathook doctor, kubectl -n boathook-system get leases) and what the controllers log about it.',
  },
  {
    name: 'BoathookManyLeaders',
    expr: () => `sum ${by()} (boathook_leader) > 1.01`,
    for: 1,
    severity: 'critical',
    summary: '{{ $value }} controllers are at work at the same time',
    description:
      'They disturb each other. Controllers with --no-leader-election, or with different Leases, work on the same cluster: stop all but one.',
  },
  {
    name: 'BoathookReconciliationsFail',
    expr: ({ share }) => `${share('boathook_reconciliations_total', 'outcome="failed"', 'controller')} > 0.1`,
    for: 10,
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of the reconciliations of {{ $labels.controller }} fail',
    description:
      'Each is tried again. The log of the leader has the reason: look for "a controller could not finish".',
  },
  {
    name: 'BoathookQueueIsLong',
    expr: ({ span }) => `min_over_time(boathook_work_queue_depth[${span(10)}]) > 100`,
    severity: 'warning',
    summary: '{{ $value }} objects wait for the controller {{ $labels.controller }}',
    description:
      'It has more work than it can do, and acts late. See whether the API server is slow (boathook_api_request_duration_seconds) or throttles, and whether the container has enough CPU.',
  },
  {
    name: 'BoathookApiErrors',
    expr: ({ share }) => `${share('boathook_api_requests_total', 'code=~"5..|none"')} > 0.05`,
    for: 10,
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of the requests to the API server fail',
    description: 'The API server does not answer, or answers with errors. Look at the API server first.',
  },
  {
    name: 'BoathookApiForbidden',
    expr: ({ rate }) => `${rate('boathook_api_requests_total{code=~"401|403"}')} > 0`,
    for: 5,
    severity: 'warning',
    summary: 'The API server refuses requests of Boathook',
    description:
      'The service account lacks a permission, or its token is not valid. The log and the conditions of the objects name the permission; boathook access prints the roles.',
  },
  {
    name: 'BoathookApiThrottled',
    expr: ({ rate }) => `${rate('boathook_api_throttled_seconds_total')} > 1`,
    for: 10,
    severity: 'warning',
    summary: 'Requests wait because the API server answers 429',
    description:
      'More than one request waits at any time. Give the service account of Boathook a priority level of its own (FlowSchema), or the API server more resources.',
  },
  {
    name: 'BoathookReleaseBlocked',
    expr: () => `sum ${by('kind')} (boathook_releases{phase="Blocked"}) > 0`,
    for: 15,
    severity: 'warning',
    summary: 'The release of {{ $value }} {{ $labels.kind }} is blocked',
    description:
      'It does not move until a user acts. boathook release list -A shows which one, boathook release explain why and what to do.',
  },
  {
    name: 'BoathookReleaseWaits',
    expr: () => `sum ${by('kind')} (boathook_releases{phase="Paused"}) > 0`,
    for: 24 * 60,
    severity: 'info',
    summary: 'The release of {{ $value }} {{ $labels.kind }} is paused',
    description:
      'For a day there was always a release that waits for a user. boathook release list -A shows it; boathook release promote or abort ends the pause.',
  },
  {
    name: 'BoathookReleaseAborted',
    expr: ({ span }) =>
      `sum ${by('kind', 'cause')} (increase(boathook_releases_ended_total{outcome="Aborted"}[${span(15)}])) > 0`,
    severity: 'warning',
    summary: 'A release of a {{ $labels.kind }} was aborted: {{ $labels.cause }}',
    description:
      'Its pods were taken back to the stable revision. boathook release history shows the verdicts of its hooks.',
  },
  {
    name: 'BoathookHookErrors',
    expr: ({ share }) => `${share('boathook_hook_measurements_total', 'outcome="Error"', 'provider')} > 0.2`,
    for: 10,
    severity: 'warning',
    summary:
      '{{ $value | humanizePercentage }} of the calls of the provider {{ $labels.provider }} end in an error',
    description:
      'Hooks cannot measure. kubectl describe of a HookRun shows request and reply of its last calls.',
  },
  {
    name: 'BoathookHooksLate',
    expr: ({ rate }) =>
      `histogram_quantile(0.95, ${rate('boathook_hook_measurement_lateness_seconds_bucket', 'provider', 'le')}) > 5`,
    for: 10,
    severity: 'warning',
    summary: 'Calls of the provider {{ $labels.provider }} start {{ $value | humanizeDuration }} late',
    description:
      'More calls are due than can be made: a slow hook holds the connections of its host, or the controller lacks CPU.',
  },
  {
    name: 'BoathookMachineOperationsFail',
    expr: ({ span }) =>
      `sum ${by('operation')} (increase(boathook_machine_operations_total{outcome=~"Failed|Invalid"}[${span(30)}])) > 0`,
    severity: 'warning',
    summary: 'An operation {{ $labels.operation }} on machines failed',
    description:
      'It is tried again with growing pauses. kubectl get clusters,machines shows which one, the conditions of the object why.',
  },
  {
    name: 'BoathookReconcileHookFails',
    expr: ({ share }) =>
      `${share('boathook_reconcile_hook_calls_total', 'outcome!~"success|cancelled"', 'registration')} > 0.5`,
    for: 10,
    severity: 'warning',
    summary:
      '{{ $value | humanizePercentage }} of the calls of the hook of {{ $labels.registration }} do not succeed',
    description:
      'Instances of this CRDRegistration are not reconciled. Its conditions and the events of the instances have the last error.',
  },
];

/** The alerts of `deploy/monitoring`. */
export function alerts(times: AlertTimes = real): readonly Alert[] {
  const terms = termsOf(times);
  return sources.map(({ expr, for: minutes, ...alert }) => ({
    ...alert,
    expr: expr(terms),
    ...(minutes !== undefined && { for: times.hold(minutes) }),
  }));
}

/** The rules as a file of Prometheus has them. */
export const ruleGroups = (times?: AlertTimes) => ({
  groups: [
    {
      name: 'boathook',
      rules: alerts(times).map(({ name, expr, severity, summary, description, ...more }) => ({
        alert: name,
        expr,
        ...more,
        labels: { severity },
        annotations: { summary, description },
      })),
    },
  ],
});
