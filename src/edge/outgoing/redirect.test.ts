import { expect, test } from 'vitest';
import { seconds } from '#base/time.ts';
import type { OutgoingRequest } from './outgoing.ts';
import { nextHop, type Hop } from './redirect.ts';

const secretive = {
  accept: 'application/json',
  Authorization: 'Bearer sentinel',
  Cookie: 'sentinel',
  'X-Api-Key': 'sentinel',
  'Content-Type': 'text/plain',
};
const hop = (url: string, method = 'GET'): Hop => {
  const request: OutgoingRequest = {
    method,
    url,
    headers: secretive,
    ...(method === 'GET' ? {} : { body: 'x' }),
    timeout: seconds(1),
    maxBytes: 1,
    tls: { ca: 'ca', cert: 'cert', key: 'key' },
  };
  return { request, url: new URL(url) };
};

test.for<[string, string, string]>([
  ['http://a/x/y', 'z?q=1#f', 'http://a/x/z?q=1'],
  ['http://a/x', '/z', 'http://a/z'],
  ['http://a/x', '//b:1/z', 'http://b:1/z'],
  ['http://a/x', 'https://a/x', 'https://a/x'],
  ['http://a/x', 'http://user:pw@b/', 'http://b/'],
])('%s sends on to %s', ([from, location, to]) => {
  expect(nextHop(hop(from), 302, location)).toMatchObject({ type: 'follow', hop: { request: { url: to } } });
});

test('a call that refuses redirects takes them as its answer', () => {
  const { request, url } = hop('http://a/x');
  const refusing: Hop = { request: { ...request, redirects: 'refuse' }, url };
  expect(nextHop(refusing, 302, 'http://a/z')).toEqual({ type: 'answer' });
});

test.for<[number, string | undefined]>([
  [200, '/x'],
  [304, '/x'],
  [300, '/x'],
  [302, undefined],
])('%i with %s is an answer', ([status, location]) => {
  expect(nextHop(hop('http://a/'), status, location)).toEqual({ type: 'answer' });
});

test.for<[string, RegExp]>([
  ['http://a/', /not encrypted/],
  ['ftp://a/', /no http or https/],
  ['file:///etc/passwd', /no http or https/],
  ['http://[', /no http or https/],
])('from https nobody goes to %s', ([location, says]) => {
  expect(nextHop(hop('https://a/'), 301, location)).toMatchObject({
    type: 'refused',
    message: expect.stringMatching(says),
  });
});

test.for<[number, string, string]>([
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'PUT', 'GET'],
  [303, 'HEAD', 'HEAD'],
  [302, 'PUT', 'PUT'],
  [307, 'POST', 'POST'],
  [308, 'POST', 'POST'],
])('%i turns %s into %s', ([status, before, after]) => {
  const next = nextHop(hop('http://a/', before), status, '/b');
  expect(next).toMatchObject({ type: 'follow', hop: { request: { method: after } } });
  const { request } = (next as { hop: Hop }).hop;
  expect(request.body).toBe(after === 'GET' ? undefined : 'x');
});

test.for(['http://b/', 'http://a:81/', 'https://a/'])(
  '%s is another origin and gets no secret',
  (location) => {
    const next = nextHop(hop('http://a/'), 302, location);
    expect(JSON.stringify(next)).not.toMatch(/sentinel|"cert"|"key"/);
    expect(next).toMatchObject({
      hop: {
        request: { headers: { accept: 'application/json', 'Content-Type': 'text/plain' }, tls: { ca: 'ca' } },
      },
    });
  },
);

test('the same origin gets everything again', () => {
  expect(nextHop(hop('http://a/'), 302, '/b')).toMatchObject({
    hop: { request: { headers: secretive, tls: { key: 'key' } } },
  });
});
