import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textAt, type JsonObject } from '#base/json.ts';
import {
  clusterOf,
  isFalse,
  isTrue,
  openObjectsWorld,
  type ObjectsWorld,
} from '../support/machine-objects-world.ts';

const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const;
/** A host is one machine of one Cluster. */
const further = [4, 5, 6, 7, 8].map((last) => `192.0.2.${last}`);
const features = { files: [{ src: 'hooks', dst: '/tmp/hooks' }], hooks: { PreInstall: '/tmp/hooks/pre' } };

/** Every text that must be nowhere, plain and as it stands in objects. */
const marked = 'sentinel';
const secrets = ['password', 'key', 'phrase', 'stored', 'jump', 'plain'].map(
  (each) => `${marked}-${each}-8f3a`,
);
const [password, key, phrase, stored, jump] = secrets as [string, string, string, string, string, string];
const forms = secrets.flatMap((each) => [each, btoa(each)]);

const withMachines = (name: string, ...machines: readonly JsonObject[]): JsonObject =>
  clusterOf(name, [], features, { machines: [...machines] });

const failing = (world: ObjectsWorld, name: string): Promise<JsonObject> =>
  world.until(
    'cluster',
    name,
    (object) => isFalse(object, 'Ready') && textAt(object, 'status', 'message') !== undefined,
  );

function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

test('a secret is in no status, event, output, log or file, wherever it comes from and however it fails', async () => {
  await using world = await openObjectsWorld(
    [first, second, third, ...further].map((address) => ({ address, password: 'secret-1' })),
    { isDown: true },
  );
  world.noting('hooks/pre');
  const flags = ['--files-root', world.root, '--nodes', '0', '--port', '0', '--data-dir', world.dataDir];
  await using up = world.follow('up', ...flags);
  await up.lineLike(/^ready in /);
  const lockedKey = join(world.own.folder, 'locked');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', phrase, '-C', key, '-f', lockedKey]);
  const locked = btoa(readFileSync(lockedKey, 'utf8'));

  const secret = (name: string, data: JsonObject, type = 'boathook.dev/machine-credentials'): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'default' },
    type,
    stringData: data,
  });
  await world.apply(
    secret('wrong', { username: 'root', password: stored }),
    secret('untyped', { password: stored }, 'Opaque'),
    secret('empty', { passPhrase: stored }),
  );
  const said: string[] = [];
  const [fourth = '', fifth = '', sixth = '', seventh = '', eighth = ''] = further;
  const cases: Readonly<Record<string, readonly [JsonObject, RegExp]>> = {
    inline: [{ ip: first, password: btoa(password) }, /Login refused for root@192\.0\.2\.1/],
    garbage: [{ ip: fourth, privateKey: btoa(`${key}\n`) }, /key/i],
    locked: [{ ip: fifth, privateKey: locked, passPhrase: btoa(`not-${phrase}`) }, /pass ?phrase|key/i],
    refused: [{ ip: second, privateKey: locked, passPhrase: btoa(phrase) }, /Login refused/],
    proxied: [
      {
        ip: third,
        password: btoa(password),
        proxy: { type: 'SSHJumpServer', ip: second, password: btoa(jump) },
      },
      /192\.0\.2\.2/,
    ],
    stored: [{ ip: third, credentialsFrom: { name: 'wrong' } }, /Login refused for root@192\.0\.2\.3/],
    untyped: [{ ip: sixth, credentialsFrom: { name: 'untyped' } }, /must be of type boathook\.dev/],
    empty: [{ ip: seventh, credentialsFrom: { name: 'empty' } }, /neither a password nor a privateKey/],
    missing: [{ ip: eighth, credentialsFrom: { name: 'none' } }, /Secret default\/none cannot be read/],
  };
  await world.apply(
    ...Object.entries(cases).map(([name, [machine]]) => withMachines(`cls-${name}`, machine)),
  );
  for (const [name, [machine, says]] of Object.entries(cases)) {
    const object = await failing(world, `cls-${name}`);
    expect(textAt(object, 'status', 'message'), name).toMatch(says);
    said.push(JSON.stringify(object['status']));
    const looks = [['status'], ['status', '-o', 'json'], ['retry']].map((args) =>
      world.boathook('cluster', ...args, `cls-${name}`),
    );
    for (const { out, error } of await Promise.all(looks)) said.push(out, error);
    if (machine['credentialsFrom'] !== undefined)
      said.push((await world.kubectl(['describe', 'cluster', `cls-${name}`])).out);
  }

  // One that is right in the end: a corrected Secret is read again.
  await world.apply(secret('wrong', { username: 'root', password: 'secret-1' }));
  await world.boathook('cluster', 'retry', 'cls-stored');
  await world.until('cluster', 'cls-stored', (object) => isTrue(object, 'Ready'));

  said.push((await world.kubectl(['get', 'events', '-A', '-o', 'json'])).out, up.errors());
  for (const path of filesBelow(join(world.dataDir, 'machines'))) said.push(path, readFileSync(path, 'utf8'));
  for (const host of world.hosts.values())
    said.push(host.run('sh', '-c', 'cat /tmp/hooks/* $(find /var/lib/boathook -type f) 2>/dev/null; true'));
  const whole = said.join('\n');
  expect(forms.filter((form) => whole.includes(form))).toEqual([]);
  expect(whole).not.toContain(locked.slice(80, 160));
  // The search is able to find.
  expect((await world.kubectl(['get', 'cluster', 'cls-inline', '-o', 'json'])).out).toContain(btoa(password));
});
