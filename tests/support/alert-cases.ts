type InputSeries = { readonly series: string; readonly values: string };

/** Series under which one alert fires, and others under which it does not. */
export type AlertCase = {
  readonly alert: string;
  /** When it fires, in minutes after the start of the series. */
  readonly at: number;
  /** When it does not fire yet; none: series alone decide. */
  readonly notYet?: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly firing: readonly InputSeries[];
  readonly quiet: readonly InputSeries[];
};

const target = { job: 'boathook', namespace: 'boathook-system' };
const labelled = (name: string, labels: Readonly<Record<string, string>>): string =>
  `${name}{${Object.entries({ ...labels, ...target })
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`;
const line = (name: string, labels: Readonly<Record<string, string>>, values: string): InputSeries => ({
  series: labelled(name, labels),
  values,
});
const constant = (value: number): string => `${value}x2000`;
const growing = (by: number): string => `0+${by}x2000`;

const leaders = (first: number, second: number): readonly InputSeries[] => [
  line('boathook_leader', { instance: 'a' }, constant(first)),
  line('boathook_leader', { instance: 'b' }, constant(second)),
];
/** Per minute: how often it went well and badly. */
const outcomes = (
  name: string,
  [good, bad]: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>],
  [well, badly]: readonly [number, number],
): readonly InputSeries[] => [line(name, good, growing(well)), line(name, bad, growing(badly))];

const reconciliations = [
  { controller: 'hookrun', outcome: 'done' },
  { controller: 'hookrun', outcome: 'failed' },
] as const;
const requests = [
  { method: 'GET', code: '200' },
  { method: 'GET', code: '503' },
] as const;
const measurements = [
  { provider: 'web', outcome: 'Successful' },
  { provider: 'web', outcome: 'Error' },
] as const;
const calls = [
  { registration: 'kuard', phase: 'pre-reconcile', outcome: 'success' },
  { registration: 'kuard', phase: 'pre-reconcile', outcome: 'unreachable' },
] as const;
const lateness = (withinFive: number, above: number): readonly InputSeries[] =>
  [
    ['5', withinFive],
    ['30', withinFive + above],
    ['+Inf', withinFive + above],
  ].map(([le, count]) =>
    line(
      'boathook_hook_measurement_lateness_seconds_bucket',
      { provider: 'web', le: String(le) },
      growing(Number(count)),
    ),
  );
/** A counter that is 0 for ten minutes, and then as given. */
const stepTo = (value: number): string => `0x9 ${value}x2000`;

/** One case for each alert. */
export const alertCases: readonly AlertCase[] = [
  {
    alert: 'BoathookAbsent',
    at: 6,
    notYet: 4,
    labels: {},
    firing: [],
    quiet: [line('boathook_build_info', { version: '1', node: '24' }, constant(1))],
  },
  {
    alert: 'BoathookNoLeader',
    at: 2,
    notYet: 0,
    labels: target,
    firing: leaders(0, 0),
    quiet: leaders(0, 1),
  },
  {
    alert: 'BoathookManyLeaders',
    at: 2,
    notYet: 0,
    labels: target,
    firing: leaders(1, 1),
    quiet: leaders(1, 0),
  },
  {
    alert: 'BoathookReconciliationsFail',
    at: 12,
    notYet: 9,
    labels: { ...target, controller: 'hookrun' },
    firing: outcomes('boathook_reconciliations_total', reconciliations, [80, 20]),
    quiet: outcomes('boathook_reconciliations_total', reconciliations, [95, 5]),
  },
  {
    alert: 'BoathookQueueIsLong',
    at: 11,
    labels: { ...target, controller: 'gamedeployment' },
    firing: [line('boathook_work_queue_depth', { controller: 'gamedeployment' }, constant(101))],
    quiet: [
      line('boathook_work_queue_depth', { controller: 'gamedeployment' }, '5000x3 20 5000x3 20 5000x4'),
    ],
  },
  {
    alert: 'BoathookApiErrors',
    at: 12,
    notYet: 9,
    labels: target,
    firing: outcomes('boathook_api_requests_total', requests, [90, 10]),
    quiet: outcomes('boathook_api_requests_total', requests, [99, 1]),
  },
  {
    alert: 'BoathookApiForbidden',
    at: 7,
    notYet: 4,
    labels: target,
    firing: [line('boathook_api_requests_total', { method: 'GET', code: '403' }, growing(1))],
    quiet: [line('boathook_api_requests_total', { method: 'GET', code: '403' }, constant(7))],
  },
  {
    alert: 'BoathookApiThrottled',
    at: 16,
    notYet: 9,
    labels: target,
    firing: [line('boathook_api_throttled_seconds_total', {}, growing(90))],
    quiet: [line('boathook_api_throttled_seconds_total', {}, growing(30))],
  },
  {
    alert: 'BoathookReleaseBlocked',
    at: 15,
    notYet: 14,
    labels: { ...target, kind: 'GameDeployment' },
    firing: [line('boathook_releases', { kind: 'GameDeployment', phase: 'Blocked' }, constant(1))],
    quiet: [
      line('boathook_releases', { kind: 'GameDeployment', phase: 'Blocked' }, constant(0)),
      line('boathook_releases', { kind: 'GameDeployment', phase: 'Paused' }, constant(1)),
    ],
  },
  {
    alert: 'BoathookReleaseWaits',
    at: 24 * 60,
    notYet: 24 * 60 - 1,
    labels: { ...target, kind: 'GameStatefulSet' },
    firing: [line('boathook_releases', { kind: 'GameStatefulSet', phase: 'Paused' }, constant(2))],
    quiet: [line('boathook_releases', { kind: 'GameStatefulSet', phase: 'Progressing' }, constant(2))],
  },
  {
    alert: 'BoathookReleaseAborted',
    at: 12,
    notYet: 8,
    labels: { ...target, kind: 'GameDeployment', cause: 'HookFailed' },
    firing: [
      line(
        'boathook_releases_ended_total',
        { kind: 'GameDeployment', outcome: 'Aborted', cause: 'HookFailed' },
        stepTo(1),
      ),
    ],
    quiet: [
      line(
        'boathook_releases_ended_total',
        { kind: 'GameDeployment', outcome: 'Complete', cause: 'AllPodsUpdated' },
        stepTo(1),
      ),
    ],
  },
  {
    alert: 'BoathookHookErrors',
    at: 12,
    notYet: 9,
    labels: { ...target, provider: 'web' },
    firing: outcomes('boathook_hook_measurements_total', measurements, [70, 30]),
    quiet: outcomes('boathook_hook_measurements_total', measurements, [90, 10]),
  },
  {
    alert: 'BoathookHooksLate',
    at: 12,
    notYet: 9,
    labels: { ...target, provider: 'web' },
    firing: lateness(80, 20),
    quiet: lateness(99, 1),
  },
  {
    alert: 'BoathookMachineOperationsFail',
    at: 12,
    notYet: 8,
    labels: { ...target, operation: 'node.join' },
    firing: [
      line('boathook_machine_operations_total', { operation: 'node.join', outcome: 'Failed' }, stepTo(1)),
    ],
    quiet: [
      line('boathook_machine_operations_total', { operation: 'node.join', outcome: 'Completed' }, stepTo(1)),
    ],
  },
  {
    alert: 'BoathookReconcileHookFails',
    at: 12,
    notYet: 9,
    labels: { ...target, registration: 'kuard' },
    firing: outcomes('boathook_reconcile_hook_calls_total', calls, [40, 60]),
    quiet: outcomes('boathook_reconcile_hook_calls_total', calls, [60, 40]),
  },
];
