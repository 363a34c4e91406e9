import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { serviceOfHost, routeToService } from './service-route.ts';

const service = (spec: JsonObject): JsonObject => ({ metadata: { name: 'n', namespace: 'ns' }, spec });
const endpoints = (ip: string, ports: readonly JsonObject[]): JsonObject => ({
  subsets: [{ addresses: [{ ip }], ports }],
});
const two = [
  { name: 'http', port: 80 },
  { name: 'admin', port: 81 },
];

test.for<[string, string, JsonObject, JsonObject | undefined, string | undefined]>([
  [
    'the only port',
    'http://n/v1?a=b',
    service({ ports: [{ port: 80 }] }),
    endpoints('10.1.2.3', [{ port: 8080 }]),
    'http://10.1.2.3:8080/v1?a=b',
  ],
  [
    'a named port',
    'http://n:81/',
    service({ ports: two }),
    endpoints('10.1.2.3', [
      { name: 'http', port: 1 },
      { name: 'admin', port: 2 },
    ]),
    'http://10.1.2.3:2/',
  ],
  [
    'an address with colons',
    'http://n/',
    service({ ports: [{ port: 80 }] }),
    endpoints('fd00::1', [{ port: 8080 }]),
    'http://[fd00::1]:8080/',
  ],
  [
    'another name',
    'http://n:8080/x',
    service({ type: 'ExternalName', externalName: 'localhost' }),
    undefined,
    'http://localhost:8080/x',
  ],
  ['no endpoint behind it', 'http://n/', service({ ports: [{ port: 80 }] }), undefined, undefined],
  [
    'TLS',
    'https://n/',
    service({ ports: [{ port: 443 }] }),
    endpoints('10.1.2.3', [{ port: 8443 }]),
    'https://10.1.2.3:8443/',
  ],
])('%s', ([, url, of, behind, expected]) => {
  const way = routeToService(url, of, behind);
  expect(way?.url).toBe(expected);
  if (way === undefined) return;
  expect(way.host).toBe(new URL(url).host);
  expect(way.serverName).toBe(url.startsWith('https:') ? 'n' : undefined);
});

test.for([
  ['http://n.ns.svc.cluster.local:8080/x', { namespace: 'ns', name: 'n' }],
  ['http://n.ns.svc', { namespace: 'ns', name: 'n' }],
  ['http://n.ns', { namespace: 'ns', name: 'n' }],
  ['http://n:8080', { namespace: 'here', name: 'n' }],
  ['https://n.ns.svc.cluster.local./', { namespace: 'ns', name: 'n' }],
  ['http://n.ns.pod.cluster.local', undefined],
  ['http://hooks.example.com', undefined],
  ['http://a.b.svc.other.local', undefined],
] as const)('%s', ([url, expected]) => {
  expect(serviceOfHost(url, { namespace: 'here', clusterDomain: 'cluster.local' })).toEqual(expected);
});
