import { expect, test } from 'vitest';
import { millis, minutes } from '#base/time.ts';
import { manualClock } from '#edge/testing/manual-clock.ts';
import { openWebWorld } from '../support/web-server-world.ts';
import { noon } from '../support/world.ts';
import { closedAfterTest } from '../support/closed-after-test.ts';

const json = { 'content-type': 'application/json' };
const post = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  body: JSON.stringify(body),
  headers: { ...json, ...headers },
});

test('the link signs in once, and a new one is printed when it is used again', async () => {
  const clock = manualClock(noon);
  const at = await closedAfterTest(openWebWorld({ clock }));
  const link = at.dashboard.link();
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[0-9a-f]{64}$/);
  const token = link.split('=')[1] ?? '';
  const first = await at.request('POST', '/api/session', post({ link: token }));
  expect(first).toMatchObject({
    status: 200,
    body: { isSignedIn: true, user: 'boathook-admin', isEmbedded: true },
  });
  clock.advance(millis(21_000));
  const second = await at.request('POST', '/api/session', post({ link: token }));
  expect(second).toMatchObject({
    status: 401,
    body: { message: expect.stringContaining('used already') as string },
  });
  expect(at.links).toHaveLength(1);
  // Whoever asks often gets no more links.
  await at.request('POST', '/api/session', post({ link: 'x' }));
  expect(at.links).toHaveLength(1);
  expect(await at.request('POST', '/api/session', post({ link: at.links[0] }))).toMatchObject({
    status: 200,
  });
});

test('a link is too old after 10 minutes', async () => {
  const clock = manualClock(noon);
  const at = await closedAfterTest(openWebWorld({ clock }));
  const [, link = ''] = at.dashboard.link().split('=');
  clock.advance(minutes(10));
  expect(await at.request('POST', '/api/session', post({ link }))).toMatchObject({ status: 401 });
});

test('a session ends after 12 hours, and its stream with it', async () => {
  const clock = manualClock(noon);
  const at = await closedAfterTest(openWebWorld({ clock }));
  const user = await at.signIn();
  expect(await user.send('GET', '/api/session')).toMatchObject({
    body: { isSignedIn: true, endsAt: '2026-01-06T00:00:00Z', now: '2026-01-05T12:00:00.000000Z' },
  });
  const tab = await user.follow('topic=overview');
  clock.advance(minutes(12 * 60));
  expect(await tab.until(({ type }) => type === 'signed-out')).toMatchObject({
    message: 'the session has ended: sign in again',
  });
  await tab.ended;
  expect(await user.send('GET', '/api/session')).toMatchObject({
    body: { isSignedIn: false, signIn: 'link' },
  });
  expect((await user.send('GET', '/api/stream?topic=overview')).status).toBe(401);
});

test('signing out ends the session and clears the cookie', async () => {
  const at = await closedAfterTest(openWebWorld());
  const user = await at.signIn();
  const tab = await user.follow('topic=overview');
  const out = await user.send('DELETE', '/api/session');
  expect(out.headers.getSetCookie()[0]).toMatch(
    /^boathook-session-\d+=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/,
  );
  await tab.until(({ type }) => type === 'signed-out');
  expect((await user.send('POST', '/api/acts', {})).status).toBe(401);
});

test('the cookie is HttpOnly and SameSite=Strict, and no token is in it', async () => {
  const at = await closedAfterTest(openWebWorld());
  const reply = await at.request('POST', '/api/session', post({ token: 'token-of-bob' }));
  expect(reply.headers.getSetCookie()[0]).toMatch(
    /^boathook-session-\d+=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  );
  expect(reply.text).not.toContain('token-of-bob');
  expect(reply.body).toMatchObject({ user: 'bob', groups: ['system:authenticated'] });
  const behind = await at.request(
    'POST',
    '/api/session',
    post({ token: 'token-of-bob' }, { 'x-forwarded-proto': 'https' }),
  );
  expect(behind.headers.getSetCookie()[0]).toContain('; Secure');
});

test.for([
  ['an unknown token', { token: 'nobody' }, 401],
  ['a token with a line break', { token: 'a\r\nx: y' }, 401],
  ['nothing', {}, 401],
  ['a list', [], 401],
] as const)('nobody is signed in by %s', async ([, body, status]) => {
  const at = await closedAfterTest(openWebWorld());
  const reply = await at.request('POST', '/api/session', post(body));
  expect(reply.status).toBe(status);
  expect(reply.headers.getSetCookie()).toEqual([]);
});

test('a session ends with its Kubernetes token', async () => {
  const clock = manualClock(noon);
  const claims = Buffer.from(JSON.stringify({ exp: noon / 1000 + 600 })).toString('base64url');
  const at = await closedAfterTest(
    openWebWorld({
      clock,
      around: (connector) => ({ ...connector, open: () => connector.open({ type: 'own' }) }),
    }),
  );
  const user = await at.signIn(`e30.${claims}.c2ln`);
  expect(await user.send('GET', '/api/session')).toMatchObject({ body: { endsAt: '2026-01-05T12:10:00Z' } });
  clock.advance(minutes(10));
  expect(await user.send('GET', '/api/session')).toMatchObject({ body: { isSignedIn: false } });
});

test('in a cluster only tokens sign in', async () => {
  const at = await closedAfterTest(openWebWorld({ signIn: 'token', isLoopback: false }));
  expect((await at.request('GET', '/api/session')).body).toEqual({ isSignedIn: false, signIn: 'token' });
  const [, link = ''] = at.dashboard.link().split('=');
  expect((await at.request('POST', '/api/session', post({ link }))).status).toBe(401);
  expect((await at.request('POST', '/api/session', post({ token: 'token-of-bob' }))).status).toBe(200);
});

test('behind a proxy each request is of the user whom the proxy names', async () => {
  const at = await closedAfterTest(openWebWorld({ signIn: 'proxy', isLoopback: false }));
  const ask = async (headers: Record<string, string>, cookie = '') =>
    at.request('GET', '/api/session', { headers: { ...headers, ...(cookie && { cookie }) } });
  expect((await ask({})).body).toEqual({ isSignedIn: false, signIn: 'proxy' });
  const erin = { 'x-forwarded-user': 'erin', 'x-forwarded-groups': 'crew' };
  const first = await ask(erin);
  expect(first.body).toMatchObject({
    isSignedIn: true,
    user: 'erin',
    groups: ['crew', 'system:authenticated'],
  });
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect((await ask(erin, cookie)).body['csrf']).toBe(first.body['csrf']);
  const second = await ask({ ...erin, 'x-forwarded-user': 'mallory' }, cookie);
  expect(second.body).toMatchObject({ user: 'mallory' });
  expect(second.body['csrf']).not.toBe(first.body['csrf']);
  // The session of before has ended with the change.
  expect((await ask(erin, cookie)).body['csrf']).not.toBe(first.body['csrf']);
  expect((await at.request('POST', '/api/session', post({ token: 'token-of-alice' }))).status).toBe(401);
});

test.for([
  { 'x-forwarded-user': 'system:admin' },
  { 'x-forwarded-user': 'erin', 'x-forwarded-groups': 'crew, System:masters' },
  { 'x-forwarded-user': 'x'.repeat(300) },
])('a proxy cannot make somebody %s', async (headers) => {
  const at = await closedAfterTest(openWebWorld({ signIn: 'proxy', isLoopback: false }));
  expect((await at.request('GET', '/api/session', { headers })).status).toBe(401);
});

test('headers of a proxy mean nothing where no proxy is trusted', async () => {
  const at = await closedAfterTest(openWebWorld());
  const headers = { 'x-forwarded-user': 'boathook-admin' };
  expect((await at.request('GET', '/api/session', { headers })).body).toMatchObject({ isSignedIn: false });
  expect((await at.request('GET', '/api/stream?topic=overview', { headers })).status).toBe(401);
});
