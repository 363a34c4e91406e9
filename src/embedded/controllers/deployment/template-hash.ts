import { equalJson, objectAt, without, type Json } from '#base/json.ts';
import { fnv32, orderedJson, safeName } from '#kube/workload/safe-hash.ts';
import type { KubeObject } from '#kube/object.ts';

export const hashLabel = 'pod-template-hash';

/** Names a template; a collision count gives it another name. */
export function templateHash(template: Json | undefined, collisions: number | undefined): string {
  return safeName(fnv32(orderedJson(template) + (collisions === undefined ? '' : String(collisions))));
}

/** Whether a replica set was made from this template: the label of the hash does not count. */
export function isOfTemplate(set: KubeObject, template: Json | undefined): boolean {
  return equalJson(withoutHash(objectAt(set, 'spec', 'template')), withoutHash(template));
}

function withoutHash(template: Json | undefined): Json | undefined {
  const metadata = objectAt(template, 'metadata');
  const labels = objectAt(metadata, 'labels');
  if (labels === undefined || metadata === undefined || !(hashLabel in labels)) return template;
  return { ...objectAt(template), metadata: { ...metadata, labels: without(labels, hashLabel) } };
}
