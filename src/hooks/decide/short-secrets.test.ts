import { expect, test } from 'vitest';
import { webMetric } from './testing/play.ts';
import { shortSecrets } from './short-secrets.ts';

const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'api' } };
const secretKeyRef = { name: 'api', key: 'token' };
const web = { url: 'http://127.0.0.1/', headers: [{ key: 'X-Token', valueFrom: { secretKeyRef } }] };

test.for([
  ['short, as text', { stringData: { token: 'abc\n' } }, 2],
  ['short, in base64', { data: { token: btoa('abc') } }, 2],
  ['long enough', { stringData: { token: 'abcd' } }, 0],
  ['not base64', { data: { token: '???' } }, 0],
  ['not there', {}, 0],
] as const)('a Secret beside a template is looked at: %s', ([, more, count]) => {
  const metrics = [webMetric({ provider: { web: { ...web, hmac: { secretKeyRef } } } })];
  const found = shortSecrets({ spec: { metrics } }, [{ ...secret, ...more }]);
  expect(found).toHaveLength(count);
  for (const { severity, path, message } of found) {
    expect(severity).toBe('warning');
    expect(path).toMatch(/^spec\.metrics\[0\]\.provider\.web\.(headers\[0\]|hmac)$/);
    expect(message).toBe(
      'key token of Secret api has fewer than 4 characters, so it is not masked in all replies of the service',
    );
  }
});
