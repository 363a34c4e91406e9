import { equalJson, isObject, type JsonObject } from '#base/json.ts';
import { annotationsOf, withMeta, type KubeObject } from '#kube/object.ts';

/** What to do about an object every namespace should have. */
export type Wish =
  | { readonly type: 'nothing' }
  | { readonly type: 'create'; readonly object: KubeObject }
  | { readonly type: 'replace'; readonly object: KubeObject };

const nothing: Wish = { type: 'nothing' };

/** An object that every active namespace has: what it is called, and what must become of the one there is. */
export type Kept = {
  readonly plural: string;
  readonly name: string;
  readonly wish: (current: KubeObject | undefined) => Wish;
};

export const defaultAccount: Kept = {
  plural: 'serviceaccounts',
  name: 'default',
  wish: (current) =>
    current === undefined
      ? {
          type: 'create',
          object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
        }
      : nothing,
};

const mapName = 'kube-root-ca.crt';
const descriptionKey = 'kubernetes.io/description';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

export function rootCertificateMap(rootCa: string): Kept {
  const data = { 'ca.crt': rootCa };
  return {
    plural: 'configmaps',
    name: mapName,
    wish(current) {
      if (current === undefined) {
        const metadata: JsonObject = { name: mapName, annotations: { [descriptionKey]: description } };
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
