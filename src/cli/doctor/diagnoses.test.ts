import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { instant, parseTime } from '#base/time.ts';
import { checkClock } from './check-clock.ts';
import { checkControllers, installedScope } from './check-controllers.ts';
import { checkHooks } from './check-hooks.ts';
import { checkLeader } from './check-leader.ts';
import { checkOthers } from './check-others.ts';
import { checkVersion } from './check-version.ts';
import { hookAddresses } from './hook-addresses.ts';
import { otherOperators, type OtherTraces } from './other-operators.ts';
import { rightText, wishedRights } from './wished-rights.ts';

test.for([
  ['v1.32.4', 'ok'],
  ['v1.25.0-gke.1', 'ok'],
  ['v2.0.0', 'ok'],
  ['v1.24.17', 'failed'],
  ['unknown', 'unknown'],
] as const)('Kubernetes %s is %s', ([version, state]) => {
  expect(checkVersion(version).state).toBe(state);
});

const at = (text: string): ReturnType<typeof instant> => parseTime(text) ?? instant(0);
const noon = at('2026-01-01T12:00:00Z');

test.for([
  ['Thu, 01 Jan 2026 12:00:03 GMT', 'ok', /is that of/],
  ['Thu, 01 Jan 2026 12:01:00 GMT', 'warning', /60 s behind/],
  ['Thu, 01 Jan 2026 11:59:00 GMT', 'warning', /60 s ahead of/],
  [undefined, 'unknown', /no time/],
] as const)('a server whose time is %s: %s', ([date, state, says]) => {
  expect(checkClock(noon, date)).toMatchObject({ state, message: expect.stringMatching(says) as string });
});

const lease = (spec: Record<string, string | number>): { spec: Record<string, string | number> } => ({
  spec,
});

test.for([
  [lease({ holderIdentity: 'a', renewTime: '2026-01-01T11:59:58.000000Z', leaseDurationSeconds: 15 }), 'ok'],
  [
    lease({ holderIdentity: 'a', renewTime: '2026-01-01T11:59:00.000000Z', leaseDurationSeconds: 15 }),
    'failed',
  ],
  [lease({ holderIdentity: '', renewTime: '2026-01-01T11:59:58.000000Z' }), 'failed'],
  [undefined, 'failed'],
] as const)('the leader in %j is %s', ([object, state]) => {
  expect(checkLeader(object, noon, 'ops').state).toBe(state);
});

test.for([
  [2, 2, 'ok'],
  [2, 1, 'warning'],
  [2, 0, 'failed'],
  [0, 0, 'failed'],
] as const)('of %i pods %i are ready: %s', ([replicas, readyReplicas, state]) => {
  expect(checkControllers({ spec: { replicas }, status: { readyReplicas } }).state).toBe(state);
});

const deployment = (...args: readonly string[]): Parameters<typeof installedScope>[0] => ({
  spec: { template: { spec: { containers: [{ args }] } } },
});

test('the arguments of a Deployment name controllers and namespaces', () => {
  expect(
    installedScope(deployment('controller', '--controllers=hookrun', '--controllers', 'machine')),
  ).toEqual({
    names: new Set(['hookrun', 'machine']),
    namespaces: undefined,
  });
  expect(installedScope(deployment('controller', '--namespaces=a,b'))).toMatchObject({
    namespaces: ['a', 'b'],
  });
  expect(installedScope(deployment('controller')).names.size).toBe(7);
});

test('rights are asked where they are granted', () => {
  const whole = wishedRights({ names: new Set(['gamedeployment']), namespaces: undefined }, 'ops').map(
    rightText,
  );
  expect(whole).toContain('watch nodes');
  expect(whole).toContain('update gamedeployments.tkex.tencent.com/status');
  expect(whole).toContain('update leases.coordination.k8s.io in ops');
  const some = wishedRights({ names: new Set(['gamedeployment']), namespaces: ['a'] }, 'ops').map(rightText);
  expect(some).toContain('create pods in a');
  expect(some).not.toContain('watch nodes');
});

test('addresses of hooks are found once each, without placeholders', () => {
  const metric = (provider: JsonObject): JsonObject => ({ provider });
  const template = {
    metadata: { name: 't', namespace: 'n' },
    spec: {
      metrics: [
        metric({ web: { url: 'https://hooks.example.com/a' } }),
        metric({ web: { url: 'https://hooks.example.com/b' } }),
        metric({ web: { url: 'http://{{ args.PodIP }}:80' } }),
        metric({ prometheus: { address: 'http://[::1]:9090' } }),
      ],
    },
  };
  const registration = { metadata: { name: 'r' }, spec: { hook: { address: { uri: 'http://hook' } } } };
  expect(hookAddresses([template], [registration]).map(({ host, port }) => `${host} ${port}`)).toEqual([
    'hooks.example.com 443',
    '::1 9090',
    'hook 80',
  ]);
});

const address = { host: 'h', port: 80, named: 'HookTemplate n/t' };

test.for([
  [[], 'ok', undefined],
  [[{ type: 'open' }], 'ok', undefined],
  [[{ type: 'open' }, { type: 'closed', why: 'ECONNREFUSED' }], 'warning', /Start the service/],
  [[{ type: 'unknown-name' }], 'warning', /in a pod/],
] as const)('hooks that are %j: %s', ([reaches, state, remedy]) => {
  const found = checkHooks(reaches.map((reach) => ({ address, reach })));
  expect(found.state).toBe(state);
  if (remedy !== undefined) expect(found.remedy).toMatch(remedy);
});

const nobody: OtherTraces = { leaders: [], installations: [], writes: [], webhooks: [], services: [] };
const leaders = otherOperators.slice(0, 2).map((operator) => ({ operator, holder: 'pod-7' }));
const writes = [{ object: 'GameDeployment a/b', manager: 'm', time: noon }];

test.for<readonly [Partial<OtherTraces>, boolean, string, RegExp]>([
  [{}, true, 'ok', /No other controller/],
  [{ leaders }, false, 'warning', /leader is pod-7\. So do bcs-gamestatefulset-operator\./],
  [{ leaders, writes }, true, 'failed', /bcs-gamedeployment-operator works on GameDeployments/],
  [
    { writes },
    true,
    'warning',
    /GameDeployment a\/b was written by m at 2026-01-01T12:00:00Z, after Boathook/,
  ],
  [
    { installations: ['ops/boathook-controller'] },
    true,
    'warning',
    /Another installation .* ops\/boathook-controller/,
  ],
  [{ services: ['g is served by tke/api'] }, true, 'warning', /g is served by tke\/api/],
  [{ webhooks: ['ValidatingWebhookConfiguration w'] }, true, 'warning', /webhooks of others/],
])('other controllers %j, installed %s: %s', ([found, isInstalled, state, says]) => {
  const { message, remedy, ...rest } = checkOthers({ ...nobody, ...found }, isInstalled);
  expect(rest).toMatchObject({ check: 'others', state });
  expect(message).toMatch(says);
  expect(remedy === undefined).toBe(state === 'ok');
});
