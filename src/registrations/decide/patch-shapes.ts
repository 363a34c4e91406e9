import type { ChildKey } from '#registrations/kinds/reply.ts';
import { untypedShape, type FieldShape, type Shape } from '#kube/shape.ts';
import { shapeOfType } from '#schema/types/shape-of-type.ts';

/** How the lists of each child are merged. A Knative Service has a pod template like a Deployment. */
export const shapeOfChild = (key: ChildKey): Shape => shapes[key]();

const shapes: Readonly<Record<ChildKey, () => Shape>> = {
  deployment: () => shapeOfType('io.k8s.api.apps.v1.Deployment'),
  service: () => shapeOfType('io.k8s.api.core.v1.Service'),
  serviceAccount: () => shapeOfType('io.k8s.api.core.v1.ServiceAccount'),
  ksvc: () => knative,
};

const plain = (shape: () => Shape): FieldShape => ({ shape, patchStrategy: [], patchMergeKey: undefined });

function openStruct(fields: Readonly<Record<string, () => Shape>>): Shape {
  return {
    type: 'struct',
    atomic: false,
    open: true,
    field: (name) => plain((Object.hasOwn(fields, name) ? fields[name] : undefined) ?? (() => untypedShape)),
    fieldNames: () => Object.keys(fields),
  };
}

const knative = openStruct({
  metadata: () => shapeOfType('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
  spec: () => openStruct({ template: () => shapeOfType('io.k8s.api.core.v1.PodTemplateSpec') }),
});
