import { expect, test } from 'vitest';
import { podOf } from '#kube/workload/testing/objects.ts';
import type { KubeObject } from '#kube/object.ts';
import { decideEndpoints } from './decide.ts';

const service: KubeObject = {
  metadata: { name: 'web', namespace: 'default', labels: { tier: 'front' } },
  spec: {
    clusterIP: '10.0.0.1',
    ipFamilies: ['IPv4'],
    selector: { app: 'x' },
    ports: [{ port: 80, targetPort: 8080 }],
  },
};
const ready = podOf({ name: 'a', ip: '10.1.0.2', node: 'n1', readyAt: 0 });
const unready = podOf({ name: 'b', ip: '10.1.0.1', node: 'n1' });
const going = podOf({ name: 'c', ip: '10.1.0.3', node: 'n1', readyAt: 0, isDeleting: true });

const address = (name: string, ip: string): KubeObject => ({
  ip,
  nodeName: 'n1',
  targetRef: { kind: 'Pod', namespace: 'default', name, uid: `uid-${name}` },
});
const made: KubeObject = {
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: {
    name: 'web',
    namespace: 'default',
    labels: { tier: 'front', 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' },
  },
  subsets: [
    {
      addresses: [address('a', '10.1.0.2')],
      notReadyAddresses: [address('b', '10.1.0.1')],
      ports: [{ port: 8080, protocol: 'TCP' }],
    },
  ],
};

test('ready and unready addresses, none of pods on their way out', () => {
  expect(decideEndpoints(service, [ready, unready, going], undefined)).toEqual({
    type: 'create',
    object: made,
  });
});

test('a service that publishes unready addresses keeps those on their way out', () => {
  const spec = { ...(service['spec'] as KubeObject), publishNotReadyAddresses: true };
  const step = decideEndpoints({ ...service, spec }, [ready, unready, going], undefined);
  expect(step).toMatchObject({
    object: {
      subsets: [
        {
          addresses: [address('b', '10.1.0.1'), address('a', '10.1.0.2'), address('c', '10.1.0.3')],
        },
      ],
    },
  });
});

test('what is right stays, what is not is replaced', () => {
  expect(decideEndpoints(service, [unready, ready], made)).toEqual({ type: 'none' });
  const { subsets: _gone, ...bare } = made;
  expect(decideEndpoints(service, [], made)).toEqual({ type: 'update', object: bare });
  expect(decideEndpoints(service, [], undefined)).toEqual({ type: 'create', object: bare });
});
