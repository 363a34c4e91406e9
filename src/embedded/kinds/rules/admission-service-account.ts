import { randomLetters } from '#kube/safe-letters.ts';
import { isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { Random } from '#base/random.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';
import { editItems, specOf, textOf, withField } from '#base/json-edit.ts';

export type AccountAdmission = {
  /** The service account that the pod names, or `default`. */
  readonly account?: KubeObject | undefined;
  readonly random: Random;
};

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const volumePrefix = 'kube-api-access-';

/** The service account a pod will run as. */
export const accountNameOf = (pod: KubeObject): string =>
  textAt(pod, 'spec', 'serviceAccountName') || 'default';

/** Every pod gets a service account and, unless disabled, a volume with its token. */
export function admitServiceAccount(pod: KubeObject, { account, random }: AccountAdmission): KubeObject {
  if (annotationsOf(pod)['kubernetes.io/config.mirror'] !== undefined) return pod;
  const name = accountNameOf(pod);
  let spec = withField(withField(specOf(pod), 'serviceAccountName', name), 'serviceAccount', name);
  const secrets = account?.['imagePullSecrets'];
  if (listAt(spec, 'imagePullSecrets').length === 0 && secrets !== undefined) {
    spec = withField(spec, 'imagePullSecrets', secrets);
  }
  const mounts = spec['automountServiceAccountToken'] ?? account?.['automountServiceAccountToken'] ?? true;
  return withField(pod, 'spec', mounts === true ? mountToken(spec, random) : spec);
}

function mountToken(spec: JsonObject, random: Random): JsonObject {
  const known = listAt(spec, 'volumes').find(isTokenVolume);
  const name = textAt(known, 'name') ?? volumePrefix + randomLetters(random, 5);
  const mount: JsonObject = { name, readOnly: true, mountPath };
  const edit = (container: JsonObject): JsonObject => {
    const mounts = listAt(container, 'volumeMounts');
    const isThere = mounts.some((each) => isObject(each) && each['mountPath'] === mountPath);
    return isThere ? container : { ...container, volumeMounts: [...mounts, mount] };
  };
  const mounted = editItems(editItems(spec, 'initContainers', edit), 'containers', edit);
  if (mounted === spec || known !== undefined) return mounted;
  return { ...mounted, volumes: [...listAt(spec, 'volumes'), tokenVolume(name)] };
}

const isTokenVolume = (volume: Json): boolean =>
  isObject(volume) && volume['projected'] !== undefined && textOf(volume['name']).startsWith(volumePrefix);

const tokenVolume = (name: string): JsonObject => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 420,
  },
});
