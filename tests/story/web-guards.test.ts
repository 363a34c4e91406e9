import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWebWorld, type WebUser, type WebWorld } from '../support/web-server-world.ts';

let world: WebWorld;
let user: WebUser;
beforeAll(async () => {
  world = await openWebWorld();
  user = await world.signIn();
});
afterAll(() => world[Symbol.asyncDispose]());

/** fetch does not let a test choose these headers. */
function raw(path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${world.dashboard.url}${path}`, { method, headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? '{}' : undefined);
  });
}

test.for([
  '/',
  '/release/GameDeployment/shop/web.v2',
  '/assets/a-1.js',
  '/api/session',
  '/api/nothing',
  '/assets/b.js',
])('every answer has the headers of safety: %s', async (path) => {
  const { headers } = await world.request('GET', path);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('files with a hash in their name are kept, the page itself is not', async () => {
  const script = await world.request('GET', '/assets/a-1.js');
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const page = await world.request('GET', '/release/GameDeployment/shop/web.v2');
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<!doctype html>') as string });
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect((await world.request('GET', '/assets/b.js')).status).toBe(404);
  expect((await world.request('POST', '/')).status).toBe(405);
});

test.for([
  ['a name that was rebound', { host: 'evil.example' }, 421],
  ['another port', { host: '127.0.0.1:1' }, 421],
  ['a page of another origin', { origin: 'https://evil.example' }, 403],
  ['a page of another port', { origin: 'http://127.0.0.1:1' }, 403],
  ['a sandboxed page', { origin: 'null' }, 403],
  ['a request of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 403],
] as const)('%s is refused', async ([, headers, status]) => {
  const { cookie } = user;
  for (const path of ['/api/session', '/api/stream?topic=overview', '/'])
    expect(await raw(path, { cookie, ...headers })).toBe(status);
});

test('a link from elsewhere may open the page, localhost is a name of loopback', async () => {
  const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  expect(await raw('/', navigation)).toBe(200);
  expect(await raw('/api/session', { host: `localhost:${world.dashboard.port}` })).toBe(200);
  expect(await raw('/api/session', { origin: world.dashboard.url })).toBe(200);
});

test.for([
  ['POST', '/api/acts'],
  ['POST', '/api/hooks/test'],
  ['DELETE', '/api/session'],
] as const)('%s %s needs the header of the session', async ([method, path]) => {
  const { cookie } = user;
  const headers = { cookie, 'content-type': 'application/json' };
  expect(await raw(path, headers, method)).toBe(403);
  expect(await raw(path, { ...headers, 'x-boathook-csrf': 'x'.repeat(64) }, method)).toBe(403);
  expect(await raw(path, { 'content-type': 'application/json', 'x-boathook-csrf': user.csrf }, method)).toBe(
    401,
  );
});

test('only JSON is read, and not too much of it', async () => {
  const text = { 'content-type': 'text/plain' };
  expect((await user.send('POST', '/api/acts', {}, text)).status).toBe(415);
  expect((await user.send('POST', '/api/acts', { topic: 'x'.repeat(70_000) })).status).toBe(413);
  const { cookie, csrf } = user;
  const headers = { cookie, 'x-boathook-csrf': csrf, 'content-type': 'application/json' };
  expect((await world.request('POST', '/api/acts', { headers, body: '{"a":' })).status).toBe(400);
  expect((await world.request('POST', '/api/session', { headers: text, body: '{"link":"x"}' })).status).toBe(
    415,
  );
});

test.for([
  '',
  'topic=',
  'topic=pod/default/x',
  'topic=release/GameDeployment/default/a%2Cmetadata.namespace!%3Ddefault',
  'topic=release/GameDeployment/default/..',
  'topic=hookrun/default/A',
  'topic=template/default/%3Cscript%3E',
  `topic=cluster//${'x'.repeat(254)}`,
  Array.from({ length: 33 }, (_, i) => `topic=hookrun/default/a${i}`).join('&'),
])('no topic: %s', async (query) => {
  const reply = await user.send('GET', `/api/stream?${query}`);
  expect(reply.status).toBe(400);
  expect(reply.headers.get('content-type')).toContain('application/json');
});
