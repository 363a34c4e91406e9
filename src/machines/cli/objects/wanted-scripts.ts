import { textAt } from '#base/json.ts';
import { ExitError } from '#command/exit.ts';
import type { AskLog, LogProblem } from '#command/logs/log-client.ts';
import type { KubeObject } from '#kube/object.ts';
import { listOutputs, type ListedOutput, type WantedList } from '#machines/cli/outputs/output-client.ts';

/** Of which Cluster, machine and steps the outputs are wanted. */
export type WantedScripts = {
  readonly cluster: string;
  readonly node: string | undefined;
  readonly step: string;
};

export function wantedOf(
  object: KubeObject,
  name: string,
  node: string | undefined,
  step: string,
): WantedScripts {
  const owner = textAt(object, 'spec', 'clusterName');
  return owner === undefined ? { cluster: name, node, step } : { cluster: owner, node: name, step };
}

/** Of the operation under way, else of the last one. */
export function listFor(object: KubeObject, { node }: WantedScripts): WantedList {
  const operation = textAt(object, 'status', 'operation', 'id');
  return { node, ...(operation === undefined ? {} : { operations: [operation] }) };
}

export async function mustList(
  ask: AskLog,
  cluster: string,
  wanted: WantedList,
  signal: AbortSignal,
): Promise<readonly ListedOutput[]> {
  const list = await listOutputs(ask, cluster, wanted, signal);
  if (list.type !== 'listed') throw problemExit(cluster, list);
  return list.outputs;
}

/** How the command ends when logs cannot be read. */
export function problemExit(cluster: string, { type, message }: LogProblem): ExitError {
  const code = type === 'unreachable' || type === 'unauthorized' || type === 'unpublished' ? 5 : 1;
  return new ExitError(code, `the output of Cluster ${cluster} cannot be read: ${message}`);
}
