import type { ControllerName } from './controllers/start.ts';
import type { KubeClient } from '#edge/kube/client.ts';

/** The default StorageClass; its volumes are only objects, without storage. */
const standard = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'sim.boathook.dev/volumes',
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'WaitForFirstConsumer',
};

const resource = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'storageclasses',
  kind: 'StorageClass',
  namespaced: false,
};

/** Creates the default StorageClass if claims are bound here and it does not exist. */
export async function ensureStorageClass(
  client: KubeClient,
  controllers: ReadonlySet<ControllerName>,
  signal: AbortSignal,
): Promise<void> {
  if (!controllers.has('persistentvolume-binder')) return;
  const made = await client.create(resource, standard, signal);
  if (made.type !== 'ok' && made.type !== 'exists') {
    throw new Error(`the storage class standard cannot be created: ${made.type}`);
  }
}
