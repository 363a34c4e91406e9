import { expect, test } from 'vitest';
import type { PrometheusProvider } from '#hooks/providers/prometheus/wire/prometheus-wire.ts';
import { instant } from '#base/time.ts';
import { prometheusRequest } from './prometheus-request.ts';
import { secretsOf } from '#hooks/call/secrets.ts';

const never = new AbortController().signal;

function made(prometheus: PrometheusProvider, args: Readonly<Record<string, string>> = {}) {
  const secrets = secretsOf(
    () => Promise.resolve({ type: 'found', value: 'Bearer token' }),
    'default',
    never,
  );
  const now = instant(1_000_000_500);
  return prometheusRequest({ prometheus, args: new Map(Object.entries(args)), secrets, now });
}

test.for<[address: string, url: string]>([
  ['http://p:9090', 'http://p:9090/api/v1/query?query=up'],
  ['http://p:9090/', 'http://p:9090/api/v1/query?query=up'],
  ['https://p/a/b//', 'https://p/a/b/api/v1/query?query=up'],
  ['http://p/select/0/prometheus?tenant=a#x', 'http://p/select/0/prometheus/api/v1/query?tenant=a&query=up'],
])('%s is queried at %s', async ([address, url]) => {
  expect(await made({ address, query: 'up' })).toMatchObject({
    type: 'made',
    value: { request: { method: 'GET', url, timeout: 30_000 } },
  });
});

test('a query is encoded as a whole, and shown as it is written', async () => {
  const query = 'rate(x{a="&b=+"}[5m]) > {{ args.limit }}';
  expect(await made({ address: 'http://p', query }, { limit: '1&time=0' })).toMatchObject({
    value: {
      request: {
        url: 'http://p/api/v1/query?query=rate%28x%7Ba%3D%22%26b%3D%2B%22%7D%5B5m%5D%29+%3E+1%26time%3D0',
      },
      shown: 'http://p/api/v1/query rate(x{a="&b=+"}[5m]) > 1&time=0',
    },
  });
});

test('a range ends now', async () => {
  const range = { last: '5m', step: '500ms' };
  const { value } = (await made({ address: 'http://p', query: 'up', range, timeoutSeconds: 5 })) as {
    value: { request: { url: string; timeout: number } };
  };
  expect(value.request).toMatchObject({
    url: 'http://p/api/v1/query_range?query=up&start=999700.5&end=1000000.5&step=0.5',
    timeout: 5000,
  });
});

test('a long query is sent in the body', async () => {
  const query = 'x'.repeat(5000);
  expect(await made({ address: 'http://p/?a=b', query })).toMatchObject({
    value: {
      request: {
        method: 'POST',
        url: 'http://p/api/v1/query?a=b',
        body: `query=${query}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    },
  });
});

test('headers may come from a Secret', async () => {
  const headers = [{ key: 'Authorization', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }];
  expect(await made({ address: 'http://p', query: 'up', headers })).toMatchObject({
    value: { request: { headers: { authorization: 'Bearer token' } } },
  });
});

test.for<[Partial<PrometheusProvider>, RegExp]>([
  [{ address: 'prometheus:9090' }, /^address: /],
  [{ address: 'nonsense' }, /^address: .*such as http:\/\/prometheus:9090/],
  [{ address: 'http://{{ args.none }}' }, /^address: .*args\.none/],
  [{ query: '{{ args.none }}' }, /^query: /],
  [{ range: { last: 'x', step: '1s' } }, /^range\.last "x" is not a duration like 5m/],
  [{ range: { last: '1m', step: '0' } }, /^range\.step "0" is not a duration above zero/],
])('%j is a problem', async ([wrong, says]) => {
  expect(await made({ address: 'http://p', query: 'up', ...wrong })).toEqual({
    type: 'problem',
    message: expect.stringMatching(says),
  });
});
