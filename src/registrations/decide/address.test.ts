import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { addressTarget, addressUrl, publicUrl } from './address.ts';
import { environment } from './testing/kuard.ts';

const service = (...ports: readonly number[]): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'n', namespace: 'ns' },
  spec: { ports: ports.map((port) => ({ port })) },
});
const ref = { apiVersion: 'v1', kind: 'Service', namespace: 'ns', name: 'n' };
const broker = { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', namespace: 'ns', name: 'b' };
const host = 'n.ns.svc.cluster.local';

test.for<[string | undefined, readonly number[], string]>([
  [undefined, [80], `http://${host}`],
  ['/path', [80], `http://${host}/path`],
  ['https://', [443], `https://${host}`],
  ['//:8090', [80], `http://${host}:8090`],
  ['//?a=1&b=2', [80], `http://${host}?a=1&b=2`],
  ['http://:8080/v1', [8080], `http://${host}:8080/v1`],
  ['http://triggermesh.io', [80], `http://${host}`],
  ['http://triggermesh.io:9000/x?y', [80], `http://${host}:9000/x?y`],
  ['https://', [8443], `https://${host}:8443`],
  [undefined, [8080, 9090], `http://${host}:8080`],
  [undefined, [8080, 80], `http://${host}`],
  [undefined, [], `http://${host}`],
])('a Service with the URI %s and the ports %j is %s', ([uri, ports, url]) => {
  expect(addressUrl({ address: { uri, ref }, target: service(...ports), environment })).toMatchObject({
    url,
  });
});

test('the host of a URI beside a ref is ignored with a warning (seed)', () => {
  const found = addressUrl({
    address: { uri: 'http://my-hook-service', ref },
    target: service(80),
    environment,
  });
  expect(found).toEqual({
    type: 'address',
    url: `http://${host}`,
    warnings: ['the host my-hook-service of the URI is ignored: Service ns/n gives the host'],
  });
});

test.for<[string, string]>([
  ['http://triggermesh.io', 'http://triggermesh.io'],
  ['https://h:8443/a?b=c', 'https://h:8443/a?b=c'],
  ['http://h:80/', 'http://h/'],
  ['http://[fd00::1]:8080/', 'http://[fd00::1]:8080/'],
])('a URI alone, %s, is used as it is', ([uri, url]) => {
  expect(addressUrl({ address: { uri, ref: undefined }, target: undefined, environment })).toMatchObject({
    url,
  });
});

test.for<[string, string | undefined, string]>([
  ['http://b/x/y', '/z', 'http://b/z'],
  ['http://b/x/y', undefined, 'http://b/x/y'],
  ['http://b:81/x?q', 'https://:444', 'https://b:444/x?q'],
])('an addressable at %s with the URI %s is %s', ([url, uri, result]) => {
  const target = { status: { address: { url } } };
  expect(addressUrl({ address: { uri, ref: broker }, target, environment })).toMatchObject({ url: result });
});

test.for<[string, Parameters<typeof addressUrl>[0], RegExp]>([
  [
    'neither',
    { address: { uri: undefined, ref: undefined }, target: undefined, environment },
    /neither uri nor ref/,
  ],
  [
    'a missing object',
    { address: { uri: undefined, ref }, target: undefined, environment },
    /there is no Service ns\/n/,
  ],
  [
    'no address',
    { address: { uri: undefined, ref: broker }, target: {}, environment },
    /Broker ns\/b has no status\.address\.url/,
  ],
  [
    'an empty address',
    { address: { uri: undefined, ref: broker }, target: { status: { address: { url: '' } } }, environment },
    /has no status\.address\.url/,
  ],
  [
    'an address that is no text',
    { address: { uri: undefined, ref: broker }, target: { status: { address: { url: 7 } } }, environment },
    /not a string/,
  ],
  [
    'half an address',
    {
      address: { uri: undefined, ref: broker },
      target: { status: { address: { url: '/x' } } },
      environment,
    },
    /not a complete URL/,
  ],
  ['half a URI', { address: { uri: '/v1', ref: undefined }, target: undefined, environment }, /complete/],
  [
    'a strange scheme',
    { address: { uri: 'ftp://h', ref: undefined }, target: undefined, environment },
    /http or https/,
  ],
  [
    'a bad port',
    { address: { uri: 'http://h:99999', ref: undefined }, target: undefined, environment },
    /not a URI/,
  ],
  ['blanks', { address: { uri: 'http://h /', ref: undefined }, target: undefined, environment }, /not a URI/],
  [
    'credentials',
    { address: { uri: 'http://u:p@h', ref: undefined }, target: undefined, environment },
    /^the URI http:\/\/\*\*\*@h must not contain a user or a password$/,
  ],
])('%s is no address', ([, given, message]) => {
  expect(addressUrl(given)).toMatchObject({ type: 'unresolved', message: expect.stringMatching(message) });
});

test('a ref without a namespace is looked for beside the controller', () => {
  const address = { uri: undefined, ref: { ...ref, namespace: '' } };
  expect(addressTarget(address, 'triggermesh')).toEqual({ ...ref, namespace: 'triggermesh' });
  expect(addressTarget({ uri: undefined, ref }, 'triggermesh')).toEqual(ref);
});

test.for<[string, string]>([
  ['http://u:p@h:1/a?token=x#y', 'http://h:1/a'],
  ['http://h/a@b?c', 'http://h/a@b'],
])('%s is shown as %s', ([url, shown]) => expect(publicUrl(url)).toBe(shown));
