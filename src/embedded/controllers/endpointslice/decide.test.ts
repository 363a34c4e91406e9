import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { podOf, type PodGiven } from '#kube/workload/testing/objects.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { decideSlices, type SlicePlan } from './decide.ts';

const serviceOf = (spec: JsonObject = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default', uid: 'uid-svc', labels: { tier: 'front' } },
  spec: {
    clusterIP: '10.0.0.1',
    ipFamilies: ['IPv4'],
    selector: { app: 'x' },
    ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
    ...spec,
  },
});
const pod = (at: number, given: PodGiven = {}): KubeObject =>
  podOf({ name: `p${at}`, ip: `10.1.${Math.floor(at / 200)}.${at % 200}`, node: 'n1', readyAt: 0, ...given });

const decide = (
  service: KubeObject,
  pods: readonly KubeObject[],
  slices: readonly KubeObject[] = [],
): SlicePlan =>
  decideSlices({ service, pods, slices, zoneOf: (node) => (node === 'n1' ? 'west' : undefined) });

/** Slices as the server would have them after a plan. */
const stored = ({ create }: SlicePlan): readonly KubeObject[] =>
  create.map((slice, at) => ({
    ...slice,
    metadata: { ...(slice['metadata'] as JsonObject), name: `s${at}` },
  }));

test('a ready pod is an endpoint with all that is known of it', () => {
  const [slice] = decide(serviceOf(), [pod(1)]).create;
  expect(slice).toEqual({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace: 'default',
      generateName: 'web-',
      labels: {
        tier: 'front',
        'kubernetes.io/service-name': 'web',
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Service',
          name: 'web',
          uid: 'uid-svc',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['10.1.0.1'],
        conditions: { ready: true, serving: true, terminating: false },
        targetRef: { kind: 'Pod', namespace: 'default', name: 'p1', uid: 'uid-p1' },
        nodeName: 'n1',
        zone: 'west',
      },
    ],
    ports: [{ name: 'http', protocol: 'TCP', port: 8080 }],
  });
});

const unready: KubeObject = { ...pod(1), status: { phase: 'Running', podIP: '10.1.0.1' } };

test.for<readonly [string, KubeObject, KubeObject, JsonObject | undefined]>([
  ['unready', serviceOf(), unready, { ready: false, serving: false, terminating: false }],
  [
    'unready but published',
    serviceOf({ publishNotReadyAddresses: true }),
    unready,
    { ready: true, serving: false, terminating: false },
  ],
  [
    'on its way out',
    serviceOf(),
    pod(1, { isDeleting: true }),
    { ready: false, serving: true, terminating: true },
  ],
  ['finished', serviceOf(), pod(1, { phase: 'Succeeded' }), undefined],
  ['without an address', serviceOf(), podOf({ readyAt: 0 }), undefined],
])('a pod that is %s', ([, service, given, conditions]) => {
  const endpoints = decide(service, [given]).create.flatMap((slice) => listAt(slice, 'endpoints'));
  expect(endpoints).toMatchObject(conditions === undefined ? [] : [{ conditions }]);
});

test('a service without pods has one empty slice, and keeps it', () => {
  const plan = decide(serviceOf(), []);
  expect(plan.create).toMatchObject([{ endpoints: [], ports: [] }]);
  expect(decide(serviceOf(), [], stored(plan))).toEqual({ create: [], update: [], remove: [] });
});

test('the empty slice becomes the first one with endpoints, and the last one is emptied again', () => {
  const empty = stored(decide(serviceOf(), []));
  const filled = decide(serviceOf(), [pod(1)], empty);
  expect([filled.create, filled.update.map(nameOf), filled.remove]).toEqual([[], ['s0'], []]);
  expect(listAt(filled.update[0], 'ports')).toMatchObject([{ port: 8080 }]);
  const left = decide(serviceOf(), [], filled.update);
  expect([left.create, left.update.map(nameOf), left.remove]).toEqual([[], ['s0'], []]);
  expect(listAt(left.update[0], 'endpoints')).toEqual([]);
});

test('named ports differ from pod to pod: a slice for each', () => {
  const service = serviceOf({ ports: [{ name: 'http', port: 80, targetPort: 'web', protocol: 'TCP' }] });
  const withPort = (at: number, containerPort: number): KubeObject =>
    pod(at, { spec: { nodeName: 'n1', containers: [{ ports: [{ name: 'web', containerPort }] }] } });
  const plan = decide(service, [withPort(1, 1000), withPort(2, 2000), withPort(3, 1000)]);
  expect(plan.create.map((slice) => [listAt(slice, 'ports'), listAt(slice, 'endpoints').length])).toEqual([
    [[{ name: 'http', protocol: 'TCP', port: 1000 }], 2],
    [[{ name: 'http', protocol: 'TCP', port: 2000 }], 1],
  ]);
});

test('a hundred endpoints to a slice; a change touches only the slice it is in', () => {
  const pods = Array.from({ length: 250 }, (_, at) => pod(at));
  const plan = decide(serviceOf(), pods);
  expect(plan.create.map((slice) => listAt(slice, 'endpoints').length)).toEqual([100, 100, 50]);
  const slices = stored(plan);
  expect(decide(serviceOf(), pods, slices)).toEqual({ create: [], update: [], remove: [] });
  const without = decide(serviceOf(), pods.slice(1), slices);
  expect(without.update.map(nameOf)).toEqual(['s0']);
  const fewer = decide(serviceOf(), pods.slice(0, 100), slices);
  expect([fewer.update, fewer.remove.map(nameOf)]).toEqual([[], ['s1', 's2']]);
  const more = decide(serviceOf(), [...pods, pod(900)], slices);
  expect(more.update.map(nameOf)).toEqual(['s2']);
});

test('a stateful pod has a host name under its headless service', () => {
  const service = serviceOf({ clusterIP: 'None' });
  const named = pod(1, { spec: { nodeName: 'n1', hostname: 'web-0', subdomain: 'web' } });
  const [slice] = decide(service, [named]).create;
  expect(textAt(listAt(slice, 'endpoints')[0], 'hostname')).toBe('web-0');
  expect(slice).toMatchObject({ metadata: { labels: { 'service.kubernetes.io/headless': '' } } });
});
