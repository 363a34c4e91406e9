import type { Json, JsonObject } from '#base/json.ts';
import { resourcePath } from '#embedded/controllers/in-process/resource-path.ts';
import type { Request } from '#embedded/controllers/in-process/send.ts';
import type { Step } from './decide.ts';
import type { Node } from './node.ts';

/** The write that carries out a step. Each fails with 409 when the object is no longer the one judged. */
export function stepRequest(node: Node, step: Step): Request | undefined {
  switch (step.type) {
    case 'nothing':
    case 'look later':
      return undefined;
    case 'delete':
      return deletion(node, step.policy);
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

const pathOf = ({ resource, namespace, name }: Node): string => resourcePath(resource, namespace, name);
const orNull = (list: readonly Json[]): Json => (list.length === 0 ? null : list);

/** The uid guards against a namesake, the version against changes since the object was judged. */
const identity = ({ uid, resourceVersion }: Node): JsonObject => ({ uid, resourceVersion });

const deletion = (node: Node, propagationPolicy: string): Request => ({
  method: 'DELETE',
  path: pathOf(node),
  body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: identity(node), propagationPolicy },
});

const patch = (node: Node, metadata: JsonObject): Request => ({
  method: 'PATCH',
  path: pathOf(node),
  contentType: 'application/merge-patch+json',
  body: { metadata: { ...identity(node), ...metadata } },
});
