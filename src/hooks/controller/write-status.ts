import type { HookRunStatus } from '#hooks/kinds/hook-run.ts';
import { backOff } from '#base/back-off.ts';
import { later, type Millis } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { leanRun, withStatus } from '#hooks/decide/run-object.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { statusOf } from '#hooks/read.ts';
import { splitKey } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { warning } from '#loop/note.ts';
import type { OtherWriters } from '#loop/owned/other-writers.ts';
import { aboutError } from '#loop/report.ts';
import { metaOf, resourceVersionOf, uidOf, type KubeObject } from '#kube/object.ts';
import { isFinal } from '#hooks/decide/run.ts';
import type { HookRunMetrics } from './hook-run-metrics.ts';
import { notesOf } from './run-notes.ts';
import type { TrackedRun } from './tracked-run.ts';
import type { LoopDeps } from '#loop/loop-deps.ts';

export type WriteStatusDeps = Pick<LoopDeps, 'clock' | 'random' | 'report'> & {
  readonly client: Pick<KubeClient, 'get' | 'updateStatus'>;
  readonly events: EventRecorder;
  readonly again: (key: string, after?: Millis) => void;
  readonly forget: (run: TrackedRun) => void;
  readonly metrics?: HookRunMetrics | undefined;
  readonly others: OtherWriters;
};

/** A status to write: over which state, and how many results of the run are in it. */
export type StatusWrite = {
  readonly before: KubeObject;
  readonly status: HookRunStatus;
  readonly results: number;
};

/** The answer need not repeat the object, and the server need not look for unknown fields in what we write. */
const writeOptions = { answer: 'metadata', fieldValidation: 'Ignore' } as const;

/** Writes the status of a run, and records the result in it. A failure is retried with back-off. */
export async function writeStatus(
  deps: WriteStatusDeps,
  run: TrackedRun,
  write: StatusWrite,
  signal: AbortSignal,
): Promise<void> {
  try {
    const changed = withStatus(write.before, write.status);
    const outcome = await deps.client.updateStatus(hookRuns, changed, signal, writeOptions);
    await settle(deps, run, write, { outcome, signal });
  } catch (error) {
    if (!signal.aborted) retryLater(deps, run, aboutError(error));
  }
}

async function settle(
  deps: WriteStatusDeps,
  run: TrackedRun,
  write: StatusWrite,
  { outcome, signal }: { readonly outcome: Outcome; readonly signal: AbortSignal },
): Promise<void> {
  switch (outcome.type) {
    case 'ok':
      written(deps, run, write, outcome.object);
      return;
    case 'conflict': {
      // Somebody else wrote, or the answer to our own write was lost: the run is decided again from the new state.
      const read = await deps.client.get(hookRuns, splitKey(run.key), signal);
      if (read.type === 'not-found' || (read.type === 'ok' && uidOf(read.object) !== run.uid))
        deps.forget(run);
      else if (read.type !== 'ok') retryLater(deps, run, { why: read.message });
      else {
        run.update(leanRun.of(read.object));
        run.mustReconcile = true;
      }
      return;
    }
    case 'not-found':
      deps.forget(run);
      return;
    default:
      retryLater(deps, run, { why: outcome.message });
  }
}

function written(
  deps: WriteStatusDeps,
  run: TrackedRun,
  { before, status, results }: StatusWrite,
  answer: KubeObject,
): void {
  const { events, metrics, report } = deps;
  noteOther(deps, run, answer);
  run.update(leanRun.of({ ...withStatus(before, status), metadata: metaOf(answer) }));
  run.mustReconcile = run.failures > 0 || resourceVersionOf(run.object) !== resourceVersionOf(answer);
  run.begun = undefined;
  const calls = run.results.splice(0, results);
  run.failures = 0;
  const { name } = splitKey(run.key);
  for (const note of notesOf(name, statusOf(before), status)) events.record(run.object, note);
  metrics?.written({ run: before, before: statusOf(before), after: status, calls });
  if (isFinal(status.phase)) report('a hook run ended', { run: run.key, verdict: status.phase }, 'debug');
}

/** Another controller calls the same hooks: each measurement may be taken twice. */
function noteOther({ others, events, report }: WriteStatusDeps, run: TrackedRun, answer: KubeObject): void {
  const manager = others.since(run.key, answer)?.manager;
  if (manager === undefined) return;
  const message = `${manager} writes the status of this HookRun, too: its hooks may be called twice. Stop one of the two controllers; boathook doctor shows what runs.`;
  events.record(run.object, warning('OtherController', message));
  report('another controller writes the same object', { kind: 'HookRun', key: run.key, manager }, 'error');
}

function retryLater(
  { clock, random, report, again }: WriteStatusDeps,
  run: TrackedRun,
  about: ReturnType<typeof aboutError>,
): void {
  run.failures += 1;
  const span = backOff(run.failures, random.next());
  const since = clock.now();
  run.pause = { since, until: later(since, span) };
  report('a status could not be written', { run: run.key, failures: run.failures, ...about }, 'warn');
  again(run.key, span);
}
