import type { ControlDeps } from '#loop/control-deps.ts';
import type { Declaration } from '#machines/decide/declaration.ts';
import type { PreparedObject } from '#machines/decide/objects/plan-object.ts';
import type { LastLine, MachineScript } from '#machines/decide/objects/script.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { advance, nothingYet, type JournalRecord } from '#machines/decide/progress.ts';
import { verdictOf } from '#machines/decide/verdict.ts';
import type { EngineIo } from '#machines/engine/io.ts';
import { nameOf } from '#kube/object.ts';
import { openArtifacts } from './artifacts.ts';
import { endingLogs } from './ending-logs.ts';
import type { MachineIo } from './machine-io.ts';
import { scriptEnd } from './script-end.ts';
import type { ScriptHostKeys } from './script-host-keys.ts';
import { secretReader } from './secrets.ts';

export type ScriptDeps = Pick<ControlDeps, 'client' | 'clock' | 'random' | 'hmac'>;
export type ScriptTools = ScriptDeps & { readonly io: MachineIo };

/** A script that is planned. */
export type ScriptWork = MachineScript & {
  readonly nodes: readonly string[];
  readonly plan: MachinePlan;
  readonly declaration: Declaration;
  readonly prepared: PreparedObject;
  readonly keys: ScriptHostKeys;
};

/** The engine's access to the outside for a script. `lines`: the last line of the output of each node. */
export function scriptEngineIo(
  { client, clock, random, hmac, io }: ScriptTools,
  work: ScriptWork,
  lines: Map<string, string>,
  signal: AbortSignal,
): Omit<EngineIo, 'machines'> {
  const cluster = nameOf(work.cluster);
  const artifacts = openArtifacts({ client, namespace: io.namespace }, cluster, signal);
  return {
    clock,
    random,
    artifacts,
    secret: secretReader({
      objects: () => work.prepared.objects,
      artifacts,
      operation: work.id,
      hmac,
      makeKey: () => random.uuid() + random.uuid(),
      wrap: io.secret,
    }),
    append: keeping(work, lines),
    emit: endingLogs({ cluster, operation: work.id }, io, (event) => {
      if (event.type === 'output' && event.stream === 'stdout' && event.line !== '')
        lines.set(event.node, event.line);
    }),
    source: io.source,
    logFile: (task) => io.logFile({ cluster, operation: work.id, ...task }),
  };
}

/** Only the end of a script is recorded: everything else can be read from the machines again. */
function keeping(
  work: ScriptWork,
  lines: ReadonlyMap<string, string>,
): (record: JournalRecord) => Promise<void> {
  let progress = nothingYet;
  return async (record) => {
    progress = advance(progress, record);
    if (record.type !== 'closed' || record.state === 'Cancelled') return;
    const verdict = verdictOf(work.plan, progress);
    await work.keep(scriptEnd({ type: 'ended', verdict }, linesOf(work, lines)));
  };
}

/** The last line of the output of each node, in the order of the nodes. */
export const linesOf = (
  { nodes }: { readonly nodes: readonly string[] },
  lines: ReadonlyMap<string, string>,
): readonly LastLine[] => nodes.map((node) => ({ node, line: lines.get(node) ?? '' }));
