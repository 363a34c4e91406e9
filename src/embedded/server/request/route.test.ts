import fc from 'fast-check';
import { expect, test } from 'vitest';
import { routeOf, type ResourceTarget } from './route.ts';

const target = (given: Partial<ResourceTarget>): ResourceTarget => ({
  group: '',
  version: 'v1',
  plural: 'pods',
  namespace: undefined,
  name: undefined,
  subresource: undefined,
  rest: [],
  watch: false,
  ...given,
});

test.for<readonly [path: string, given: Partial<ResourceTarget>]>([
  ['/api/v1/pods', {}],
  ['/api/v1/namespaces/a/pods', { namespace: 'a' }],
  ['/api/v1/namespaces/a/pods/p', { namespace: 'a', name: 'p' }],
  ['/api/v1/namespaces/a/pods/p/log', { namespace: 'a', name: 'p', subresource: 'log' }],
  [
    '/api/v1/namespaces/a/pods/p/proxy/x/y',
    { namespace: 'a', name: 'p', subresource: 'proxy', rest: ['x', 'y'] },
  ],
  ['/api/v1/nodes/n/status', { plural: 'nodes', name: 'n', subresource: 'status' }],
  ['/api/v1/nodes/n/proxy/x', { plural: 'nodes', name: 'n', subresource: 'proxy', rest: ['x'] }],
  ['/api/v1/namespaces', { plural: 'namespaces' }],
  ['/api/v1/namespaces/a', { plural: 'namespaces', name: 'a' }],
  ['/api/v1/namespaces/a/status', { plural: 'namespaces', name: 'a', subresource: 'status' }],
  ['/api/v1/namespaces/a/finalize', { plural: 'namespaces', name: 'a', subresource: 'finalize' }],
  ['/api/v1/namespaces/a/status/x', { plural: 'status', namespace: 'a', name: 'x' }],
  ['/api/v1/watch/pods', { watch: true }],
  ['/api/v1/watch/namespaces/a/pods/p', { watch: true, namespace: 'a', name: 'p' }],
  ['/api/v1/watch/namespaces/a', { watch: true, plural: 'namespaces', name: 'a' }],
  [
    '/apis/apps/v1/namespaces/a/deployments/d',
    { group: 'apps', namespace: 'a', plural: 'deployments', name: 'd' },
  ],
  ['/apis/example.com/v1/ships/s', { group: 'example.com', plural: 'ships', name: 's' }],
  ['/api/v1/namespaces/a%2Fb/pods/p%3Aq', { namespace: 'a/b', name: 'p:q' }],
  ['/api/v1/namespaces/a/pods/%00', { namespace: 'a', name: '\u0000' }],
  ['/api/v1/namespaces/a/pods/__proto__', { namespace: 'a', name: '__proto__' }],
  ['//api//v1/pods/', {}],
])('%s', ([path, given]) => {
  expect(routeOf(path)).toEqual({ type: 'resource', target: target(given) });
});

test.for<readonly [path: string, route: object]>([
  ['/healthz', { type: 'health', check: 'healthz', part: '' }],
  ['/readyz/ping', { type: 'health', check: 'readyz', part: 'ping' }],
  ['/version', { type: 'version' }],
  ['/version/x', { type: 'unknown' }],
  ['/api', { type: 'discovery', path: ['api'] }],
  ['/api/v1', { type: 'discovery', path: ['api', 'v1'] }],
  ['/apis', { type: 'discovery', path: ['apis'] }],
  ['/apis/apps', { type: 'discovery', path: ['apis', 'apps'] }],
  ['/apis/apps/v1/', { type: 'discovery', path: ['apis', 'apps', 'v1'] }],
  ['/openapi/v3/apis/apps/v1', { type: 'openapi', path: ['v3', 'apis', 'apps', 'v1'] }],
  ['/metrics', { type: 'unknown' }],
  ['/', { type: 'unknown' }],
  ['', { type: 'unknown' }],
  ['*', { type: 'unknown' }],
  ['/api/v1/pods/%zz', { type: 'unknown' }],
  ['/api/v1/pods/%E2%82', { type: 'unknown' }],
])('%s leads elsewhere', ([path, route]) => {
  expect(routeOf(path)).toEqual(route);
});

test('every path leads somewhere', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'api',
      'apis',
      'v1',
      'namespaces',
      'watch',
      'status',
      'a',
      '',
      '.',
      '..',
      '%2e',
      '%',
      '%2F',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(routeOf(`/${pieces.join('/')}`).type).toMatch(
        /^(health|version|discovery|openapi|resource|unknown)$/,
      );
    }),
  );
});
