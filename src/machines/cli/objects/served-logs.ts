import { clusterFlagsIn } from '#command/cluster-options.ts';
import { ExitError } from '#command/exit.ts';
import { flagsOf } from '#command/flags.ts';
import type { Given } from '#command/given.ts';
import { dialLogs } from '#command/logs/dial-logs.ts';
import { openLogClient, type AskLog } from '#command/logs/log-client.ts';
import { usualNamespace } from '#command/logs/published-endpoint.ts';
import { placeOf } from '#command/metrics-server.ts';
import { clusterAccess } from '#command/open-cluster.ts';
import type { KubeObject } from '#kube/object.ts';
import { readScript, type ListedOutput } from '#machines/cli/outputs/output-client.ts';
import { followOutputs } from './follow-outputs.ts';
import { outputPrinter, type OutputPrinter } from './output-printer.ts';
import { listFor, mustList, problemExit, wantedOf, type WantedScripts } from './wanted-scripts.ts';
import { findObject, withObjects } from './with-objects.ts';

/** `boathook cluster logs NAME`: what the scripts of a Cluster or Machine printed, as its controller serves it. */
export const servedLogs = (name: string, given: Given): Promise<number> =>
  withObjects(given, async (opened, signal) => {
    const flags = flagsOf(given);
    const tail = tailOf(flags.text('tail'));
    const printer = outputPrinter(flags.text('output'));
    const namespace = flags.text('controllerNamespace') ?? usualNamespace;
    const dial = dialLogs(clusterAccess(clusterFlagsIn(given)), serverOf(flags.text('logServer')));
    const logs = openLogClient({ client: opened.client, namespace, dial });
    try {
      const find = async (): Promise<KubeObject> => (await findObject(opened, name, signal)).object;
      const found = await find();
      const wanted = wantedOf(found, name, flags.text('node'), flags.text('step') ?? '');
      if (!flags.isOn('follow')) await printOutputs({ ask: logs.ask, printer, tail, signal }, wanted, found);
      else await followOutputs({ ask: logs.ask, printer, tail, signal, find, ...wanted });
      return 0;
    } finally {
      await logs.close();
    }
  });

type Reading = {
  readonly ask: AskLog;
  readonly printer: OutputPrinter;
  readonly tail: number | undefined;
  readonly signal: AbortSignal;
};

async function printOutputs(
  { ask, printer, tail, signal }: Reading,
  wanted: WantedScripts,
  object: KubeObject,
): Promise<void> {
  const { cluster, step } = wanted;
  // An operation that has just begun has no output yet: then that of the one before is shown.
  let all = await mustList(ask, cluster, listFor(object, wanted), signal);
  if (all.length === 0) all = await mustList(ask, cluster, { node: wanted.node }, signal);
  const chosen = all.filter((each) => each.step.includes(step));
  if (chosen.length === 0) throw await noneFits(ask, wanted, all, signal);
  for (const output of chosen) {
    const read = await readScript(ask, cluster, { output, tail }, signal);
    // Removed since it was listed.
    if (read.type === 'missing') continue;
    if (read.type !== 'text') throw problemExit(cluster, read);
    printer.whole(output, read.text);
  }
}

/** Names what there is instead. */
async function noneFits(
  ask: AskLog,
  { cluster, node, step }: WantedScripts,
  ofNode: readonly ListedOutput[],
  signal: AbortSignal,
): Promise<ExitError> {
  const all = node === undefined ? ofNode : await mustList(ask, cluster, {}, signal);
  if (all.length === 0)
    return new ExitError(
      1,
      `no output of Cluster ${cluster} is kept: no script has run, its outputs were removed, or another controller followed the scripts`,
    );
  const isNode = ofNode.length === 0;
  const valid = [...new Set(isNode ? all.map((each) => each.node) : ofNode.map((each) => each.step))];
  const flag = isNode ? `--node=${node ?? ''}` : `--step=${step}`;
  return new ExitError(2, `${flag} has no output in this operation. Valid values: ${valid.join(', ')}`);
}

function tailOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ExitError(2, `--tail ${text} is not a number of lines`);
}

function serverOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const { host, port } = placeOf('--log-server', text);
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
