import type { EngineIo } from '#machines/engine/io.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import { nameOf } from '#kube/object.ts';
import { openArtifacts } from './artifacts.ts';
import { endingLogs } from './ending-logs.ts';
import { makePlan } from './make-plan.ts';
import type { OperationRun } from './operation-run.ts';
import { secretReader } from './secrets.ts';

/** What the engine uses while it works on a segment of the plan. */
export function engineIo(
  run: OperationRun,
  index: number,
  { machines, emit }: Pick<EngineIo, 'machines' | 'emit'>,
): EngineIo {
  const { deps, subject, state } = run;
  const { clock, random, io, client, hmac } = deps;
  const { operation } = state.about;
  const cluster = nameOf(subject.cluster() ?? {});
  const artifacts = openArtifacts({ client, namespace: io.namespace }, cluster, run.signals.leave);
  return {
    clock,
    random,
    machines,
    emit: endingLogs({ cluster, operation: operation.id }, io, emit),
    artifacts,
    secret: secretReader({
      objects: () => run.state.plan?.prepared.objects ?? { cluster: {}, machines: [] },
      artifacts,
      operation: operation.id,
      hmac,
      makeKey: () => random.uuid() + random.uuid(),
      wrap: io.secret,
    }),
    append: (record) => append(run, record),
    source: io.source,
    logFile: (task) => io.logFile({ cluster, operation: operation.id, ...task }),
    replan: () => replan(run, index),
  };
}

/** The journal of an operation is the status of its object. */
async function append(run: OperationRun, record: JournalRecord): Promise<void> {
  // All machines are locked: the process that used them before has ended.
  if (record.type === 'opened' && !(await run.writer.claim()))
    throw new Error('another controller was faster');
  await run.dispatch({ type: 'recorded', record });
}

async function replan(run: OperationRun, index: number): Promise<MachinePlan> {
  const made = await makePlan(run.deps, run.subject, run.state.about.wanted, run.signals.leave);
  if (made.type === 'refused') await run.dispatch({ ...made, isForced: run.isForced() });
  const segment = made.type === 'planned' ? made.plan.planned.segments[index] : undefined;
  if (made.type === 'refused' || segment?.type !== 'stages')
    throw new Error(
      run.state.trouble?.message ?? 'the hooks have changed: the operation continues with the new ones',
    );
  await run.dispatch(made);
  return segment.plan;
}
