import type { KubeObject } from '#kube/object.ts';
import { nameOf, namespaceOf } from '#kube/object.ts';
import type { ServerContext } from './request/call.ts';
import { createObject } from './write/create-object.ts';

const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

const priority = (name: string, value: number, description: string): KubeObject => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
  description,
});

/** Clients read this service to learn the address family of the cluster. */
const kubernetes: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  },
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.0.0.1',
    clusterIPs: ['10.0.0.1'],
    sessionAffinity: 'None',
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
  },
};

type First = readonly [group: string, plural: string, object: KubeObject];

const firstObjects: readonly First[] = [
  ...['default', 'kube-system', 'kube-public', 'kube-node-lease'].map((name): First => [
    '',
    'namespaces',
    namespace(name),
  ]),
  ['', 'services', kubernetes],
  [
    'scheduling.k8s.io',
    'priorityclasses',
    priority(
      'system-cluster-critical',
      2_000_000_000,
      'For pods the cluster cannot do without, wherever they run.',
    ),
  ],
  [
    'scheduling.k8s.io',
    'priorityclasses',
    priority('system-node-critical', 2_000_001_000, 'For pods a node cannot do without.'),
  ],
];

/** Puts in place what every cluster has. What is there already is left alone. */
export async function bootstrap(context: ServerContext): Promise<void> {
  const { store, registry } = context;
  const isNew = store.revision === 0;
  await store.transact((transaction) => {
    for (const [group, plural, object] of firstObjects) {
      const resource = registry.find(group, 'v1', plural);
      if (resource === undefined) throw new Error(`${plural} are always served`);
      const space = resource.namespaced ? namespaceOf(object) : '';
      if (transaction.get(resource.storage, `${space}/${nameOf(object)}`) !== undefined) continue;
      createObject(context, transaction, { resource, namespace: space, object, manager: 'kube-apiserver' });
    }
  });
  if (isNew) store.beginHistory();
}
