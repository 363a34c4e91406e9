import { expect, test } from 'vitest';
import type { ApiRequest } from '#kube/http.ts';
import { routeOf } from '#embedded/server/request/route.ts';
import { attributesOf } from './attributes.ts';

const request = (method: string, url: string): ApiRequest => {
  const [path = '', query = ''] = url.split('?');
  return {
    method,
    path,
    query,
    headers: {},
    peer: { certificate: undefined },
    body: () => Promise.resolve(new Uint8Array()),
    signal: new AbortController().signal,
  };
};

/** `verb group resource/subresource name namespace`, with a dash for what is empty. */
function said(method: string, url: string): string {
  const asked = request(method, url);
  const attributes = attributesOf(asked, routeOf(asked.path));
  if (attributes.type === 'path') return `${attributes.verb} ${attributes.path}`;
  const { verb, group, resource, subresource, name, namespace } = attributes;
  return [verb, group, `${resource}/${subresource}`, name, namespace].map((each) => each || '-').join(' ');
}

test.for<readonly [string, string, string]>([
  ['GET', '/api/v1/nodes', 'list - nodes/ - -'],
  ['HEAD', '/api/v1/nodes/n', 'get - nodes/ n -'],
  ['GET', '/api/v1/pods?watch=true', 'watch - pods/ - -'],
  ['GET', '/api/v1/watch/pods', 'watch - pods/ - -'],
  ['GET', '/api/v1/watch/namespaces/d/pods/p', 'watch - pods/ p d'],
  ['GET', '/api/v1/namespaces/d/pods/p/log', 'get - pods/log p d'],
  ['POST', '/api/v1/namespaces/d/pods', 'create - pods/ - d'],
  ['POST', '/api/v1/namespaces/d/pods/p/eviction', 'create - pods/eviction p d'],
  ['PUT', '/apis/apps/v1/namespaces/d/deployments/x', 'update apps deployments/ x d'],
  ['PATCH', '/apis/apps/v1/namespaces/d/deployments/x/scale', 'patch apps deployments/scale x d'],
  ['DELETE', '/api/v1/namespaces/d/pods/p', 'delete - pods/ p d'],
  ['DELETE', '/api/v1/namespaces/d/pods', 'deletecollection - pods/ - d'],
  ['GET', '/api/v1/namespaces/d', 'get - namespaces/ d d'],
  ['PUT', '/api/v1/namespaces/d/finalize', 'update - namespaces/finalize d d'],
  ['GET', '/api/v1/namespaces', 'list - namespaces/ - -'],
  ['GET', '/api/v1/namespaces/d/pods?fieldSelector=metadata.name%3Dp', 'list - pods/ p d'],
  [
    'GET',
    '/api/v1/namespaces/d/pods?watch=1&fieldSelector=status.phase%3DRunning,metadata.name==p',
    'watch - pods/ p d',
  ],
  ['GET', '/api/v1/namespaces/d/pods?fieldSelector=metadata.name!%3Dp', 'list - pods/ - d'],
  ['GET', '/api/v1/namespaces/d/pods?fieldSelector=metadata.name%3Da%2Fb', 'list - pods/ - d'],
  ['GET', '/apis/none.example.com/v1/things', 'list none.example.com things/ - -'],
  ['GET', '/apis/apps/v1', 'get /apis/apps/v1'],
  ['GET', '/openapi/v3', 'get /openapi/v3'],
  ['POST', '/version', 'post /version'],
  ['GET', '/metrics%2Fx', 'get /metrics/x'],
  ['GET', '/%', 'get /%'],
])('%s %s', ([method, url, attributes]) => {
  expect(said(method, url)).toBe(attributes);
});
