import type { Json, JsonObject } from '#base/json.ts';
import type { GarbageStep, PropagationPolicy } from './decide.ts';
import type { GraphNode } from './node.ts';

export type StepRequest =
  | { readonly verb: 'patch'; readonly body: JsonObject }
  | {
      readonly verb: 'delete';
      readonly options: {
        readonly preconditions: ObjectIdentity;
        readonly propagationPolicy: PropagationPolicy;
      };
    };

type ObjectIdentity = { readonly uid: string; readonly resourceVersion: string };

/** The write that performs a step. It fails with a conflict when the object has changed since. */
export function stepRequest(node: GraphNode, step: GarbageStep): StepRequest | undefined {
  switch (step.type) {
    case 'nothing':
    case 'look later':
      return undefined;
    case 'delete':
      return {
        verb: 'delete',
        options: { preconditions: identityOf(node), propagationPolicy: step.policy },
      };
    case 'remove finalizer':
      return patch(node, { finalizers: orNull(node.finalizers.filter((each) => each !== step.finalizer)) });
    case 'drop owners': {
      const kept = node.owners.filter(({ uid }) => !step.uids.includes(uid));
      return patch(node, { ownerReferences: orNull(kept.map(({ json }) => json)) });
    }
    case 'unblock owners': {
      const owners = node.owners.map(({ json, blocks }) =>
        blocks ? { ...json, blockOwnerDeletion: false } : json,
      );
      return patch(node, { ownerReferences: owners });
    }
  }
}

const orNull = (list: readonly Json[]): Json => (list.length === 0 ? null : list);

const identityOf = ({ uid, resourceVersion }: GraphNode): ObjectIdentity => ({ uid, resourceVersion });

const patch = (node: GraphNode, metadata: JsonObject): StepRequest => ({
  verb: 'patch',
  body: { metadata: { ...identityOf(node), ...metadata } },
});
