import { numberAt, objectAt, textAt } from '#base/json.ts';
import { readScale, scaleToChange, writeScale } from '#schema/crd/scale.ts';
import { labelSelectorOf, printLabelSelector } from '#kube/label-selector.ts';
import { metaOf, resourceVersionOf, withMeta, type KubeObject } from '#kube/object.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';

/** How a kind maps to autoscaling/v1 Scale and back. */
export type ScaleView = {
  read(object: KubeObject): KubeObject;
  /** The scale that a change starts from. */
  toChange(object: KubeObject): KubeObject;
  write(object: KubeObject, scale: KubeObject): KubeObject;
};

export function scaleViewOf(resource: ApiResource): ScaleView {
  if (resource.source.type === 'builtin') return builtinView(resource);
  const { scale } = resource.source;
  if (scale === undefined) throw new Error(`${resource.plural} has no scale subresource`);
  return {
    read: (object) => readScale(object, scale),
    toChange: (object) => scaleToChange(object, scale),
    write: (object, wanted) => writeScale(object, scale, wanted),
  };
}

function builtinView({ storage }: ApiResource): ScaleView {
  const selectorText = (object: KubeObject): string => {
    const selector = objectAt(object, 'spec', 'selector');
    const full = storage === '/replicationcontrollers' ? { matchLabels: selector ?? {} } : selector;
    return printLabelSelector(labelSelectorOf(full));
  };
  const read = (object: KubeObject): KubeObject => {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = metaOf(object);
    const selector = selectorText(object);
    const replicas = numberAt(object, 'spec', 'replicas') ?? 0;
    return {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: {
        name: name ?? '',
        namespace: namespace ?? '',
        uid: uid ?? '',
        resourceVersion: resourceVersion ?? '',
        creationTimestamp: creationTimestamp ?? null,
      },
      spec: replicas === 0 ? {} : { replicas },
      status: {
        replicas: numberAt(object, 'status', 'replicas') ?? 0,
        ...(selector === '' ? {} : { selector }),
      },
    };
  };
  return {
    read,
    toChange: read,
    write: (object, scale) => {
      const revision = textAt(scale, 'metadata', 'resourceVersion') || resourceVersionOf(object);
      const replicas = numberAt(scale, 'spec', 'replicas') ?? 0;
      const changed = { ...object, spec: { ...objectAt(object, 'spec'), replicas } };
      return withMeta(changed, { resourceVersion: revision });
    },
  };
}
