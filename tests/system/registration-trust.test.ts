import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { later, minutes } from '#base/time.ts';
import { makePair } from '#edge/certificate-make.ts';
import { systemClock } from '#edge/clock.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { definition, hookAt, kuard, registration } from '../support/kuard.ts';
import { runBoathook, startBoathook } from '../support/boathook.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';

const name = 'hook.example.test';
const hosts: (string | undefined)[] = [];
const askedFor: string[] = [];
const folder = tempDir();
const server = createServer({
  SNICallback(asked, done) {
    askedFor.push(asked);
    done(null);
  },
});
let ca = '';
let url = '';

/** A server on loopback that has a certificate for one name only, which is not that of its address. */
beforeAll(async () => {
  const about = { now: later(systemClock.now(), minutes(-1)), lifetime: minutes(600) };
  const authority = await makePair({ ...about, subject: 'CN=an authority', issuer: undefined });
  const own = await makePair({ ...about, subject: `CN=${name}`, issuer: authority, hosts: [name] });
  ca = authority.certificate;
  server.setSecureContext({ key: own.key, cert: own.certificate });
  server.on('request', (request, response) => {
    hosts.push(request.headers.host);
    response.end(JSON.stringify({ envVars: [{ name: 'FROM_TLS', value: 'yes' }] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  folder[Symbol.dispose]();
});

const hooked = (tls: { readonly serverName?: string }) =>
  registration({
    parameters: { addEnvsFromHook: ['*'] },
    hook: hookAt(url, { tls: { caBundle: ca, ...tls } }),
  });

test('render --live: a certificate with another name is refused, unless the registration expects that name', async () => {
  const live = (tls: { readonly serverName?: string }) => {
    const file = join(folder.path, `live-${tls.serverName ?? 'none'}.json`);
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [hooked(tls), kuard()] }));
    return runBoathook(['registration', 'render', '--live', '-f', file]);
  };
  expect(await live({})).toMatchObject({ code: 5, error: expect.stringMatching(/is for other hosts/) });
  expect(await live({ serverName: 'other.example.test' })).toMatchObject({ code: 5, out: '' });
  expect(hosts).toEqual([]);
  expect(await live({ serverName: name })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/FROM_TLS\n\s+value: "?yes/),
  });
  expect(hosts[0]).toBe(new URL(url).host);
  expect(askedFor.at(-1)).toBe(name);
});

test('a controller calls such a hook too, and an address is no name', async () => {
  askedFor.length = 0;
  await using boathook = await startBoathook();
  const newest = (await findKubectls()).at(-1);
  if (newest === undefined) throw new Error('there is no kubectl on the path');
  const kubectl = openTerminal(newest, boathook, 'default');
  const apply = (object: object) => kubectl.run(['apply', '-f', '-'], { stdin: JSON.stringify(object) });
  await apply(definition());
  await kubectl.refused(['apply', '-f', '-'], /spec\.hook\.tls\.serverName/, {
    stdin: JSON.stringify(hooked({ serverName: '127.0.0.1' })),
  });
  await apply(hooked({ serverName: name }));
  await kubectl.run(['wait', '--for=condition=Ready', 'crdregistration/kuard', '--timeout=300s']);
  await apply(kuard());
  await kubectl.run(['wait', '--for=create', 'deployment/kuard-my-kuard', '--timeout=300s']);
  const names = ['get', 'deployment/kuard-my-kuard', '-o', 'jsonpath={..env[*].name}'];
  expect(await kubectl.run(names)).toContain('FROM_TLS');
  expect(new Set(askedFor)).toEqual(new Set([name]));
});
