import { listAt, objectAt, type Json } from '#base/json.ts';
import { nameOf, namespaceOf, stringMap, type KubeObject } from '#kube/object.ts';
import { controllerReference } from './owner.ts';

/** A pod as a controller's template describes it; the server chooses the end of its name. */
export function podFromTemplate(owner: KubeObject, template: Json | undefined): KubeObject {
  const labels = stringMap(objectAt(template, 'metadata', 'labels'));
  const annotations = stringMap(objectAt(template, 'metadata', 'annotations'));
  const finalizers = listAt(template, 'metadata', 'finalizers');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: namespaceOf(owner),
      generateName: prefixFor(nameOf(owner)),
      labels,
      annotations,
      ...(finalizers.length === 0 ? {} : { finalizers }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: objectAt(template, 'spec') ?? {},
  };
}

/** The dash is left out where a name with it would be none. */
const prefixFor = (name: string): string => (name.endsWith('.') ? name : `${name}-`);
