import { existsSync } from 'node:fs';
import { clusterFolder, operationFolder } from '#machines/cli/files/folders.ts';
import { attemptsIn, isOfHookRun, keptOperations, type ScriptAttempt } from './output-index.ts';
import type { ScriptOutputs } from './script-outputs.ts';

/** Which outputs of a cluster are wanted: of these operations, or else of the last one that has such outputs. */
export type WantedOutputs = {
  readonly operations: readonly string[];
  readonly node: string | undefined;
  readonly step: string | undefined;
  readonly attempt: number | undefined;
};

/** An output that is kept. */
export type StoredOutput = ScriptAttempt & { readonly operation: string; readonly isRunning: boolean };

export function keptOutputs(
  store: ScriptOutputs,
  cluster: string,
  wanted: WantedOutputs,
): readonly StoredOutput[] {
  // A name in a request becomes a path only if a folder of this name exists.
  const all = keptOperations(store.dataDir, cluster);
  const outputsOf = (operation: string): readonly StoredOutput[] => {
    const folder = operationFolder(clusterFolder(store.dataDir, cluster), operation);
    return attemptsIn(folder)
      .filter((each) => fits(each, wanted))
      .map((each) => ({ operation, ...each, isRunning: store.isOpen({ cluster, operation, ...each }) }))
      .filter((each) => each.isRunning || existsSync(store.pathOf({ cluster, ...each })));
  };
  if (wanted.operations.length > 0)
    return all.filter((id) => wanted.operations.includes(id)).flatMap(outputsOf);
  for (const operation of likeliest(all, wanted)) {
    const outputs = outputsOf(operation);
    if (outputs.length > 0) return outputs;
  }
  return [];
}

/** Newest first; operations of the Cluster itself come before those of its Machines, unless a machine is named. */
function likeliest(all: readonly string[], { node }: WantedOutputs): readonly string[] {
  const own = all.filter((id) => !isOfHookRun(id)).toReversed();
  if (node !== undefined) return own;
  return own.toSorted((a, b) => Number(isOfCluster(b)) - Number(isOfCluster(a)));
}

const isOfCluster = (id: string): boolean => id.includes('-cluster-');

const fits = (
  { node, step, attempt }: ScriptAttempt,
  { node: onNode, step: ofStep, attempt: nth }: WantedOutputs,
): boolean =>
  (onNode === undefined || node === onNode) &&
  (ofStep === undefined || step === ofStep) &&
  (nth === undefined || attempt === nth);
