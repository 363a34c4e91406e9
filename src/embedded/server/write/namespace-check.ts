import { textAt } from '#base/json.ts';
import { isDeleting } from '#kube/object.ts';
import { ApiError, notFound } from '#kube/status.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import type { Transaction } from '#embedded/server/store/store.ts';

const namespaces = '/namespaces';

/** A new object needs a namespace that exists and is not terminating. */
export function checkNamespace(
  transaction: Transaction,
  resource: ApiResource,
  namespace: string,
  name: string,
): void {
  if (!resource.namespaced) return;
  const found = transaction.get(namespaces, `/${namespace}`);
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  const { object } = found;
  if (!isDeleting(object) && textAt(object, 'status', 'phase') !== 'Terminating') return;
  const qualified = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
  throw new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${qualified} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    details: {
      name,
      group: resource.group,
      kind: resource.plural,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  });
}
