import { textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { factsOf } from '#kube/workload/pod-facts.ts';
import { Refused } from '#loop/owned/write.ts';
import type { SnapshotReader } from '#releases/controller/workload-snapshot.ts';

export type TolerantReader = SnapshotReader & {
  /** What could not be read, in a sentence each. */
  readonly warnings: () => readonly string[];
};

/**
 * Goes on without objects that a person of one namespace often may not read. Few decisions depend on them: hot patches
 * on nodes, the pace of an update on budgets.
 */
export function tolerantReader(reader: SnapshotReader): TolerantReader {
  const warnings = new Map<string, string>();
  let needsNodes = false;
  const or = async <Value>(what: string, read: Promise<Value>, otherwise: Value): Promise<Value> => {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof Refused) || error.refusal.type !== 'forbidden') throw error;
      warnings.set(what, `This explanation does not know the ${what}: ${error.message}`);
      return otherwise;
    }
  };
  return {
    ...reader,
    async workload(key) {
      const found = await reader.workload(key);
      needsNodes = textAt(found, 'spec', 'updateStrategy', 'type') === 'HotPatchUpdate';
      return found;
    },
    async nodes(pods) {
      const node = await reader.nodes(pods).catch(unlessForbidden);
      const unknown = pods.map(nodeOf).find((name) => name !== '' && node(name) === undefined);
      if (needsNodes && unknown !== undefined)
        warnings.set(
          'nodes',
          `This explanation does not know the node ${unknown}: it does not exist, or you may not read nodes. So it does not know whether hot patches are supported.`,
        );
      return node;
    },
    claims: (namespace) => or('PersistentVolumeClaims', reader.claims(namespace), () => undefined),
    budgets: (namespace) => or('PodDisruptionBudgets', reader.budgets(namespace), []),
    isNamespaceEnding: (namespace) => or('namespace', reader.isNamespaceEnding(namespace), false),
    // Requests are made at the same time: the order is not that of the answers.
    warnings: () =>
      [...warnings].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, text]) => text),
  };
}

function unlessForbidden(error: unknown): (name: string) => undefined {
  if (!(error instanceof Refused) || error.refusal.type !== 'forbidden') throw error;
  return () => undefined;
}

const nodeOf = (pod: KubeObject): string => factsOf(pod).node;
