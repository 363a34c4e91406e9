import { at, textAt } from '#base/json.ts';
import type { ReadSecret } from '#hooks/call/secrets.ts';
import type { RegisteredHook, ObjectReference, SecretKey } from '#registrations/model/registration.ts';
import { fromBase64 } from '#base/base64.ts';
import type { KubeObject } from '#kube/object.ts';

/** The Secrets and ConfigMaps that a call of the hook needs. */
export function hookReferences(hook: RegisteredHook, namespace: string): readonly ObjectReference[] {
  const { tls, auth } = hook;
  const secrets = [auth.bearer?.name, auth.basic, auth.hmac?.name, tls.clientCertificate].filter(
    (name) => name !== undefined,
  );
  const all = [
    ...secrets.map((name) => ({ kind: 'Secret', name })),
    ...(tls.caBundleFrom === undefined ? [] : [{ kind: tls.caBundleFrom.kind, name: tls.caBundleFrom.name }]),
  ];
  const unique = new Map(all.map((each) => [`${each.kind} ${each.name}`, each]));
  return [...unique.values()].map((each) => ({ apiVersion: 'v1', namespace, ...each }));
}

export type LookupObject = (kind: 'Secret' | 'ConfigMap', name: string) => KubeObject | undefined;

/** Reads keys of Secrets that were fetched before. */
export const secretReader =
  (lookup: LookupObject): ReadSecret =>
  ({ namespace, name, key }) => {
    const read = keyOfSecret(lookup, { name, key });
    if (read !== undefined) return Promise.resolve({ type: 'found', value: read });
    const message = `key ${key} of Secret ${namespace}/${name}: there is no such ${lookup('Secret', name) === undefined ? 'Secret' : 'key'}`;
    return Promise.resolve({ type: 'missing', message });
  };

const keyOfSecret = (lookup: LookupObject, { name, key }: SecretKey): string | undefined => {
  const value = textAt(lookup('Secret', name), 'data', key);
  return value === undefined ? undefined : fromBase64(value);
};

/** The certificate authorities for the certificate of the hook. */
export function caBundleOf({ tls }: RegisteredHook, lookup: LookupObject): string | undefined {
  if (tls.caBundleFrom === undefined) return tls.caBundle;
  const { kind, name, key } = tls.caBundleFrom;
  if (kind === 'Secret') return keyOfSecret(lookup, { name, key }) ?? '';
  const text = at(lookup('ConfigMap', name), 'data', key);
  return typeof text === 'string' ? text : '';
}
