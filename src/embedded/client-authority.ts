import type { ControllerName } from './controllers/start.ts';
import type { KubeClient } from '#edge/kube/client.ts';

const resource = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
const metadata = { namespace: 'kube-system', name: 'extension-apiserver-authentication' };

type Published = { readonly rootCa: string; readonly kubeControllers: ReadonlySet<ControllerName> };

/** Publishes which authority signs client certificates, as kube-apiserver does for all who authenticate on its behalf. */
export async function publishClientAuthority(
  client: KubeClient,
  { rootCa, kubeControllers }: Published,
  signal: AbortSignal,
): Promise<void> {
  if (!kubeControllers.has('root-ca-cert-publisher')) return;
  const data = { 'client-ca-file': rootCa };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  const made = await client.create(resource, object, signal);
  const kept =
    made.type === 'exists'
      ? await client.patch(resource, metadata, { type: 'merge', body: { data } }, signal)
      : made;
  if (kept.type !== 'ok')
    throw new Error(`the ConfigMap ${metadata.name} cannot be written: ${kept.message}`);
}
