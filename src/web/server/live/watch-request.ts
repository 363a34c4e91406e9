import type { LabelSelector } from '#kube/label-selector.ts';
import { matchesLabels } from '#kube/label-selector.ts';
import { labelsOf, nameOf, namespaceOf } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import type { Delta } from '#loop/delta.ts';
import type { KnownObject } from './watched-kind.ts';

/** Objects whose changes make a page old. What is not given may be anything. */
export type WatchRequest = {
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name?: string;
  readonly labels?: LabelSelector;
  /** Of Events: kind and name of the object that they are about. */
  readonly about?: string;
};

/** Whether a change is one of a requested object, before or after it. */
export function concerns(request: WatchRequest, delta: Delta<KnownObject>): boolean {
  return isRequested(request, delta.object) || (delta.type === 'updated' && isRequested(request, delta.old));
}

function isRequested({ namespace, name, labels, about }: WatchRequest, object: KnownObject): boolean {
  return (
    (namespace === undefined || namespaceOf(object) === namespace) &&
    (name === undefined || nameOf(object) === name) &&
    (about === undefined || object.about === about) &&
    (labels === undefined || matchesLabels(labels, labelsOf(object)))
  );
}
