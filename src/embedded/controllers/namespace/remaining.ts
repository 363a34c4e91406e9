import { listAt } from '#base/json.ts';
import type { DiscoveredResource } from '#embedded/controllers/metadata/discovered-resource.ts';
import type { KubeObject } from '#kube/object.ts';

/** The objects of one resource that are still in a namespace. */
export type Content = { readonly resource: DiscoveredResource; readonly objects: readonly KubeObject[] };

/** How many objects and finalizers are left in a namespace. */
export type Remaining = {
  /** Objects by `plural.group`; the dot stays when there is no group. */
  readonly resources: ReadonlyMap<string, number>;
  readonly finalizers: ReadonlyMap<string, number>;
};

export function remainingOf(contents: readonly Content[]): Remaining {
  const resources = new Map<string, number>();
  const finalizers = new Map<string, number>();
  for (const { resource, objects } of contents) {
    if (objects.length > 0) resources.set(`${resource.plural}.${resource.group}`, objects.length);
    for (const finalizer of objects.flatMap((each) => listAt(each, 'metadata', 'finalizers'))) {
      if (typeof finalizer === 'string') finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    }
  }
  return { resources, finalizers };
}
