import { expect, test } from 'vitest';
import type { IncomingHttpHeaders } from 'node:http';
import { webProvider } from '#hooks/providers/web/web.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import { bodyOf, startWeb } from '#edge/outgoing/testing/web-server.ts';
import { systemRandom } from '#edge/random.ts';
import { signatureCheck } from '#sdk/sdk.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import {
  conditionsOf,
  definitions,
  kuards,
  openRegistrationWorld,
  registrations,
  secrets,
} from '../support/registration-world.ts';

const plain = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  headers as Readonly<Record<string, string>>;

test('a captured call of a reconcile hook is refused when it is sent again', async () => {
  await using world = await openRegistrationWorld();
  await world.make(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'key', namespace: 'default' },
    stringData: { key: 'sesame' },
  });
  await world.make(definitions, definition());
  const auth = { hmac: { name: 'key', key: 'key' } };
  await world.make(registrations, registration({ hook: hookAt(world.hook.url, { auth }) }));
  await world.make(kuards, kuard());
  await world.until(async () => conditionsOf(await world.instance())['Ready'] === 'True CONDITIONSOK');
  const check = signatureCheck({ secret: 'sesame', clock: world.clock });
  expect(world.hook.asked.length).toBeGreaterThan(1);
  for (const { headers, text } of world.hook.asked) expect(await check(plain(headers), text)).toBeUndefined();
  for (const { headers, text } of world.hook.asked)
    expect(await check(plain(headers), text)).toMatch(/is a replay/);
});

test('a captured call of a metric is refused when it is sent again', async () => {
  const seen: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  await using server = await startWeb((request, response) => {
    const note = async (): Promise<void> => {
      seen.push({ headers: request.headers, body: await bodyOf(request) });
      response.end('1');
    };
    void note();
  });
  const outgoing = createOutgoing({ policy: { allowLoopback: true }, clock: systemClock });
  const ask = webProvider({
    outgoing,
    readSecret: async () => ({ type: 'found', value: 'sesame' }),
    hmac: hmacSha256Hex,
    clock: systemClock,
    random: systemRandom,
  });
  const secretKeyRef = { name: 'key', key: 'key' };
  const web = { url: server.url, body: 'the same each time', hmac: { secretKeyRef } };
  const question = {
    spec: web,
    namespace: 'default',
    run: { name: 'run', uid: 'uid' },
    serviceAccount: 'default',
    metric: { name: 'signed', provider: { web } },
    args: new Map<string, string>(),
    attempt: 1,
  };
  for (const _call of [1, 2])
    expect(await ask(question, new AbortController().signal)).toMatchObject({ type: 'value' });
  await outgoing.close();
  const check = signatureCheck({ secret: 'sesame' });
  for (const { headers, body } of seen) expect(await check(plain(headers), body)).toBeUndefined();
  for (const { headers, body } of seen) expect(await check(plain(headers), body)).toMatch(/is a replay/);
  // For services that know only the body's signature.
  expect(seen[0]?.headers['x-boathook-signature-256']).toBe(
    `sha256=${hmacSha256Hex('sesame', 'the same each time')}`,
  );
});
