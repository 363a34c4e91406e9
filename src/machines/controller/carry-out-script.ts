import { formatTime, minutes, seconds, type Instant } from '#base/time.ts';
import { runPlan, type RunEnd } from '#machines/engine/run-plan.ts';
import type { ScriptEnd, Stops } from '#machines/decide/objects/script.ts';
import { nameOf } from '#kube/object.ts';
import { scriptEnd } from './script-end.ts';
import { linesOf, scriptEngineIo, type ScriptTools, type ScriptWork } from './script-engine-io.ts';

const lockedPause = seconds(2);

/** Runs a planned script. Waits until the deadline for machines that another process uses. */
export async function carryOutScript(
  tools: ScriptTools,
  work: ScriptWork,
  deadline: Instant,
  stops: Stops,
): Promise<ScriptEnd> {
  const signal = AbortSignal.any([stops.cancel, stops.leave]);
  for (;;) {
    const lines = new Map<string, string>();
    const end = await runOnce(tools, work, lines, stops);
    signal.throwIfAborted();
    // Another process works on the machine, for example for an operation of the Cluster.
    if (end.type === 'locked' && tools.clock.now() < deadline) {
      await tools.clock.sleep(lockedPause, signal);
      continue;
    }
    return scriptEnd(end, linesOf(work, lines));
  }
}

async function runOnce(
  tools: ScriptTools,
  work: ScriptWork,
  lines: Map<string, string>,
  { cancel, leave }: Stops,
): Promise<RunEnd> {
  const { clock, io } = tools;
  const { id, plan, declaration, keys } = work;
  const about = { cluster: nameOf(work.cluster), operation: id };
  const opened = await io.open(about, keys.book);
  const nodes = new Map(declaration.cluster.nodes.map((node) => [node.name, node]));
  const signal = AbortSignal.any([cancel, leave]);
  try {
    return await runPlan(
      {
        id,
        plan,
        nodes,
        // Jobs that an earlier controller started are found on the machines by their names.
        records: [],
        holder: `${io.holder} ${formatTime(clock.now())} ${work.asker}`,
        leaseTouch: seconds(10),
        leaseStale: seconds(30),
        patience: minutes(1),
        leave,
      },
      { ...scriptEngineIo(tools, work, lines, signal), machines: opened },
      cancel,
    );
  } finally {
    opened.close();
    io.logsEnded(about);
  }
}
