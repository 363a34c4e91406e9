import type { Counter, Histogram, MetricDescription, Metrics, Sample } from '#base/metrics.ts';
import { textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { ReleasePhase } from '#releases/decide/conditions.ts';
import type { EndedRelease } from '#releases/decide/history/ended-releases.ts';

const kind = 'GameDeployment or GameStatefulSet.';
const outcome = 'Complete, Aborted, RolledBack or Replaced, as in status.history.';
const bounds = [10, 30, 60, 300, 900, 1800, 3600, 14_400, 86_400, 604_800];

/** The metrics of releases. */
export const releaseMetrics = {
  ended: {
    type: 'counter',
    name: 'boathook_releases_ended_total',
    help: 'Releases that ended, by outcome and cause.',
    labels: {
      kind,
      outcome,
      cause:
        'AllPodsUpdated, HookFailed, AbortedByUser, TemplateSetBack or NewTemplate, as in status.history.',
    },
  },
  total: {
    type: 'histogram',
    name: 'boathook_release_duration_seconds',
    help: 'Time from the start of a release to its end.',
    labels: { kind, outcome },
    bounds,
  },
  progressing: {
    type: 'histogram',
    name: 'boathook_release_progressing_seconds',
    help: 'The part of that time in which the release was not paused.',
    labels: { kind, outcome },
    bounds,
  },
  paused: {
    type: 'histogram',
    name: 'boathook_release_paused_seconds',
    help: 'The part of that time in which the release waited for a user, or for the end of a pause with a duration.',
    labels: { kind, outcome },
    bounds,
  },
  phases: {
    type: 'gauge',
    name: 'boathook_releases',
    help: 'Workloads by the present phase of their release.',
    labels: { kind, phase: 'Progressing, Paused, Blocked, Complete; Unknown: not reconciled yet' },
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;

/** The outcomes and causes that alerts count: their series are there from the start. */
const counted = [
  { outcome: 'Complete', cause: 'AllPodsUpdated' },
  { outcome: 'Aborted', cause: 'HookFailed' },
  { outcome: 'Aborted', cause: 'AbortedByUser' },
  { outcome: 'RolledBack', cause: 'TemplateSetBack' },
  { outcome: 'Replaced', cause: 'NewTemplate' },
];

/** Counts the releases of one kind of workload. */
export class ReleaseMetrics {
  readonly #kind: string;
  readonly #ended: Counter;
  readonly #total: Histogram;
  readonly #progressing: Histogram;
  readonly #paused: Histogram;

  constructor(metrics: Metrics, kindName: string) {
    this.#kind = kindName;
    this.#ended = metrics.counter(releaseMetrics.ended);
    this.#total = metrics.histogram(releaseMetrics.total);
    this.#progressing = metrics.histogram(releaseMetrics.progressing);
    this.#paused = metrics.histogram(releaseMetrics.paused);
    for (const labels of counted) this.#ended.add({ kind: kindName, ...labels }, 0);
  }

  /** To be called after a status was written in which this release has ended. */
  ended(release: EndedRelease): void {
    const labels = { kind: this.#kind, outcome: release.outcome };
    this.#ended.add({ ...labels, cause: release.cause });
    this.#total.observe(labels, release.seconds);
    this.#progressing.observe(labels, release.seconds - release.pausedSeconds);
    this.#paused.observe(labels, release.pausedSeconds);
  }
}

const phases: readonly ReleasePhase[] = ['Progressing', 'Paused', 'Blocked', 'Complete'];

/** The phases of all workloads, also those that none of them is in. */
export function phaseSamples(kindName: string, workloads: readonly KubeObject[]): readonly Sample[] {
  const counts = new Map<string, number>(phases.map((phase) => [phase, 0]));
  for (const workload of workloads) {
    const found = textAt(workload, 'status', 'phase') ?? '';
    const phase = counts.has(found) ? found : 'Unknown';
    counts.set(phase, (counts.get(phase) ?? 0) + 1);
  }
  return [...counts].map(([phase, value]) => ({ labels: { kind: kindName, phase }, value }));
}
