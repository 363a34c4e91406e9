import { Refused } from '#loop/owned/write.ts';
import type { SnapshotReader } from '#releases/controller/workload-snapshot.ts';

export type TolerantReader = SnapshotReader & {
  /** What could not be read, in a sentence each. */
  readonly warnings: () => readonly string[];
};

/**
 * Goes on without objects that a person of one namespace often may not read. Few decisions depend on them: hot patches
 * and lost nodes on nodes, the pace of an update on budgets.
 */
export function tolerantReader(reader: SnapshotReader): TolerantReader {
  const warnings: string[] = [];
  const or = async <Value>(what: string, read: Promise<Value>, otherwise: Value): Promise<Value> => {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof Refused) || error.refusal.type !== 'forbidden') throw error;
      warnings.push(`This explanation does not know the ${what}: ${error.message}`);
      return otherwise;
    }
  };
  return {
    ...reader,
    nodes: (pods) => or('nodes', reader.nodes(pods), () => undefined),
    claims: (namespace) => or('PersistentVolumeClaims', reader.claims(namespace), () => undefined),
    budgets: (namespace) => or('PodDisruptionBudgets', reader.budgets(namespace), []),
    isNamespaceEnding: (namespace) => or('namespace', reader.isNamespaceEnding(namespace), false),
    warnings: () => warnings,
  };
}
