import { equalJson, isObject, type JsonObject } from '#base/json.ts';
import { annotationsOf, withMeta, type KubeObject } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';

export type NamespacedObjectStep =
  | { readonly type: 'nothing' }
  | { readonly type: 'create'; readonly object: KubeObject }
  | { readonly type: 'replace'; readonly object: KubeObject };

const nothing: NamespacedObjectStep = { type: 'nothing' };

/** An object that every active namespace has. */
export type NamespacedObject = {
  readonly resource: Resource;
  readonly name: string;
  readonly decide: (current: KubeObject | undefined, namespace: string) => NamespacedObjectStep;
};

export const defaultServiceAccount: NamespacedObject = {
  resource: { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true },
  name: 'default',
  decide: (current, namespace) =>
    current === undefined
      ? {
          type: 'create',
          object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } },
        }
      : nothing,
};

const mapName = 'kube-root-ca.crt';
const descriptionKey = 'kubernetes.io/description';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** The ConfigMap from which pods get the root certificate of the API server. */
export function rootCaConfigMap(rootCa: string): NamespacedObject {
  const data = { 'ca.crt': rootCa };
  return {
    resource: { group: '', version: 'v1', plural: 'configmaps', namespaced: true },
    name: mapName,
    decide(current, namespace) {
      if (current === undefined) {
        const metadata: JsonObject = {
          name: mapName,
          namespace,
          annotations: { [descriptionKey]: description },
        };
        return { type: 'create', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } };
      }
      const annotations = annotationsOf(current);
      const isIntact = isObject(current['data']) && equalJson(current['data'], data);
      if (isIntact && (annotations[descriptionKey] ?? '') !== '') return nothing;
      const described = withMeta(current, { annotations: { ...annotations, [descriptionKey]: description } });
      return { type: 'replace', object: { ...described, data } };
    },
  };
}
