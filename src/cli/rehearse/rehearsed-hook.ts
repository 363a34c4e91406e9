import { defined } from '#base/defined.ts';
import { parseTime } from '#base/time.ts';
import { badMessage, phaseOf } from '#hooks/decide/run-phase.ts';
import type { Measurement } from '#hooks/kinds/hook-run.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { originOf } from '#releases/model/run-labels.ts';
import type { RehearsedCall, RehearsedHook } from '#rehearse/rehearsal-report.ts';
import type { LoggedCalls } from './call-log.ts';
import { templateOfRun } from './hook-answers.ts';
import type { ReleaseWalk } from './walk-release.ts';

type HookPlace = {
  /** After the change. */
  readonly workload: KubeObject;
  readonly walk: Pick<ReleaseWalk, 'started' | 'timeline'>;
  readonly logged: readonly LoggedCalls[];
};

/** A HookRun with all of its calls. */
export function rehearsedHook(run: KubeObject, { workload, walk, logged }: HookPlace): RehearsedHook {
  const { started, timeline } = walk;
  const { point, step } = originOf(run);
  const least =
    timeline.steps.find(({ number }) => step !== '' && number === Number(step) + 1)?.startedAt ?? 0;
  const since = ({ startedAt = '' }: Measurement): number =>
    ((parseTime(startedAt) ?? started) - started) / 1000;
  // Times of calls have whole seconds. A call is not before its step, and all calls move alike: their intervals stay.
  const first = Math.min(...logged.flatMap((metric) => metric.calls.slice(0, 1).map(since)));
  const missing = Math.min(1, Math.max(0, least - first));
  const calls = logged.flatMap(({ metric, calls: all }) =>
    all.map((each) =>
      defined<RehearsedCall>({
        at: Math.max(least, since(each) + missing),
        metric,
        phase: each.phase ?? 'Pending',
        value: each.value,
        message: each.message,
        because: each.evidence?.because?.join(', '),
      }),
    ),
  );
  return {
    name: nameOf(run),
    template: templateOfRun(workload, run),
    point,
    ...(step !== '' && { step: Number(step) + 1 }),
    phase: phaseOf(run) || 'Pending',
    message: badMessage(run),
    calls: calls.toSorted((left, right) => left.at - right.at),
  };
}
