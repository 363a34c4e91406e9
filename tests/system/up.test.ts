import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { ensureCertificates } from '#edge/certificates.ts';
import { systemClock } from '#edge/clock.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { occupiedPort } from '../support/occupied-port.ts';
import { ownPort } from '../support/own-port.ts';
import { launchBoathook, readAccess, runBoathook, startBoathook } from '../support/boathook.ts';
import { openCommandLines } from '../support/command-lines.ts';
import { openApi, type Credential, type HttpsApi, type Thing } from '../support/https-api.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
/** Those that are refused. */
const lines = openCommandLines();
afterAll(() => lines[Symbol.dispose]());

const revisionOf = ({ metadata }: Thing): number => Number(metadata?.resourceVersion);

/** One sentence on the error output, nothing else, and the code. */
function expectRefusal(ended: Ended, code: number, sentence: RegExp): void {
  expect(ended.error).toMatch(/^boathook: [^\n]+\n$/);
  expect(ended.error).toMatch(sentence);
  expect({ code: ended.code, out: ended.out }).toEqual({ code, out: '' });
}

const canConnect = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

test('it prints where the API is, what to export and how long it took, and nothing else', async () => {
  await using server = await startBoathook();
  expect(server.said).toEqual([
    expect.stringMatching(/^\S.* https:\/\/127\.0\.0\.1:\d+$/),
    `export KUBECONFIG=${join(server.dataDir, 'kubeconfig')}`,
    expect.stringMatching(/^ready in \d+\.\d\d s$/),
  ]);
  await server.stop();
  expect(server.process.errors()).toBe('');
});

test('the export line survives a shell, whatever the directory is called', async () => {
  using folder = tempDir();
  const dataDir = join(folder.path, "it's a $HOME of data");
  await using server = launchBoathook(['up', '--data-dir', dataDir, '--port', '0', '--ephemeral']);
  const line = await server.lineLike(/^export /);
  const { out } = await runProgram('sh', ['-c', `${line}\nprintf %s "$KUBECONFIG"`]);
  expect(out).toBe(join(dataDir, 'kubeconfig'));
  await server.lineLike(/^ready in/);
  await server.stop();
});

test('/readyz, /livez and /healthz say ok once it is ready', async () => {
  await using server = await startBoathook();
  await using api = openApi(server.access);
  for (const path of ['/readyz', '/livez', '/healthz'])
    expect(await api.text(path)).toEqual({ status: 200, text: 'ok' });
  expect((await api.text('/readyz?verbose')).text).toMatch(/^(\[\+\]\S+ ok\n)+\S+ check passed\n$/);
});

test('a second process on the same data directory refuses and names the first', async () => {
  await using server = await startBoathook();
  const second = await runBoathook(['up', '--data-dir', server.dataDir, '--port', '0']);
  expectRefusal(second, 3, new RegExp(`\\b${server.pid}\\b`));
  expect(second.error).toContain(server.dataDir);
  await using api = openApi(server.access);
  expect((await api.text('/readyz')).text).toBe('ok');
  await server.stop();
  await using third = await startBoathook({ dataDir: server.dataDir });
  expect(third.pid).not.toBe(server.pid);
});

test('--ephemeral does not make a held directory free', async () => {
  await using server = await startBoathook({ flags: ['--ephemeral'] });
  const second = await runBoathook(['up', '--data-dir', server.dataDir, '--port', '0', '--ephemeral']);
  expectRefusal(second, 3, new RegExp(`\\b${server.pid}\\b`));
});

test('a killed holder holds nothing', async () => {
  await using server = await startBoathook();
  await server.stop('SIGKILL');
  await using next = await startBoathook({ dataDir: server.dataDir });
  await using api = openApi(next.access);
  expect((await api.text('/readyz')).text).toBe('ok');
});

test('a taken port is refused in one sentence', async () => {
  using folder = tempDir();
  await using occupied = await occupiedPort();
  const ended = await runBoathook(['up', '--data-dir', folder.path, '--port', String(occupied.port)]);
  expectRefusal(ended, 2, new RegExp(`port ${occupied.port}\\b.*taken`));
});

test('a data directory that cannot be made or is none is refused in one sentence', async () => {
  using folder = tempDir();
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  for (const dataDir of [file, join(file, 'below')]) {
    const ended = await runBoathook(['up', '--data-dir', dataDir, '--port', '0']);
    expectRefusal(ended, 2, /data directory .*file/);
    expect(ended.error).toContain(dataDir);
  }
});

test('a data directory without permission to write is refused in one sentence', async () => {
  using folder = tempDir();
  chmodSync(folder.path, 0o555);
  // Root may write anywhere unless it lays that power down.
  const humbly = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override'] : [];
  const up = [join(root, 'boathook'), 'up', '--data-dir', join(folder.path, 'data'), '--port', '0'];
  const [program = '', ...args] = [...humbly, ...up];
  const ended = await runProgram(program, args);
  chmodSync(folder.path, 0o755);
  expectRefusal(ended, 2, /data directory .*(EACCES|permission denied)/);
});

test.for([
  { what: 'a newer version', raise: 1_000_000, sentence: /newer version of Boathook/ },
  { what: 'the next format', raise: undefined, sentence: /newer version of Boathook/ },
])('a data directory written by $what is refused and left alone', async ({ raise, sentence }) => {
  using folder = tempDir();
  const dataDir = join(folder.path, 'data');
  await (await startBoathook({ dataDir }))[Symbol.asyncDispose]();
  const file = join(dataDir, 'objects.db');
  const version = setVersion(file, raise);
  expectRefusal(await runBoathook(['up', '--data-dir', dataDir, '--port', '0']), 2, sentence);
  expect(setVersion(file, version)).toBe(version);
});

/** Writes the format's number into a journal; without one, that of the next format. */
function setVersion(file: string, wanted: number | undefined): number {
  const database = new DatabaseSync(file);
  const now = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  const version = wanted ?? now + 1;
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
  return version;
}

test('a damaged journal is refused in one sentence', async () => {
  using folder = tempDir();
  writeFileSync(join(folder.path, 'objects.db'), 'this was never a journal\n'.repeat(500));
  const ended = await runBoathook(['up', '--data-dir', folder.path, '--port', '0']);
  expectRefusal(ended, 2, /objects\.db is damaged/);
});

test.for([
  { args: ['up', '--port', 'seventy'], sentence: /--port seventy/ },
  { args: ['up', '--port', '65536'], sentence: /--port 65536/ },
  { args: ['up', '--port', '-1'], sentence: /--port/ },
  { args: ['up', '--port', ''], sentence: /--port/ },
  { args: ['up', '--kube-controllers', 'namespace,unicorn'], sentence: /--kube-controllers.*unicorn/ },
  { args: ['up', '--controllers', 'unicorn'], sentence: /--controllers.*unicorn/ },
  { args: ['up', '--token-file', '/nowhere/tokens.csv'], sentence: /--token-file \/nowhere\/tokens\.csv/ },
  { args: ['up', '--kubeconfig', '/dev/null/kubeconfig'], sentence: /kubeconfig/ },
  { args: ['up', '--host', 'not a host'], sentence: /host/ },
  { args: ['up', '--data-dir'], sentence: /--data-dir/ },
  { args: ['up', '--unknown'], sentence: /--unknown/ },
  { args: ['up', 'surplus'], sentence: /argument/ },
  { args: ['down'], sentence: /'down'/ },
] as const)('bad input is refused with exit 2 and a sentence: $args', async ({ args, sentence }) => {
  using folder = tempDir();
  const more = args.length > 2 ? ['--data-dir', join(folder.path, 'data')] : [];
  const { code, out, error } = await lines.run([...args, ...more]);
  expect(error).toMatch(sentence);
  // No stack: a person reads this.
  expect(error).not.toMatch(/^\s+at /m);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

test('a token file with a bad line is refused with the number of the line', async () => {
  using folder = tempDir();
  const file = join(folder.path, 'tokens.csv');
  writeFileSync(file, 'sesame,ada,1\nnonsense\n');
  const ended = await runBoathook(['up', '--data-dir', join(folder.path, 'data'), '--token-file', file]);
  expectRefusal(ended, 2, /line 2\b/);
});

test('--help tells every option, and --version the version', async () => {
  const help = await runBoathook(['up', '--help']);
  expect(help.code).toBe(0);
  const options = [
    '--data-dir',
    '--ephemeral',
    '--port',
    '--kubeconfig',
    '--token-file',
    '--controllers',
    '--kube-controllers',
  ];
  for (const option of options) expect(help.out).toContain(option);
  expect((await runBoathook(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('the kubeconfig and the keys are for their owner only', async () => {
  await using server = await startBoathook();
  const modeOf = (path: string): number => statSync(join(server.dataDir, path)).mode & 0o777;
  expect(modeOf('kubeconfig')).toBe(0o600);
  expect(modeOf('')).toBe(0o700);
  expect(modeOf('objects.db')).toBe(0o600);
  const keys = readdirSync(join(server.dataDir, 'pki')).filter((name) => name.endsWith('.key'));
  expect(keys).not.toEqual([]);
  for (const key of keys) expect(modeOf(`pki/${key}`)).toBe(0o600);
});

test('--kubeconfig chooses where it is written, over what was there', async () => {
  using folder = tempDir();
  const path = join(folder.path, 'deep', 'config');
  await using server = await startBoathook({ flags: ['--kubeconfig', path] });
  expect(server.kubeconfig).toBe(path);
  expect(existsSync(join(server.dataDir, 'kubeconfig'))).toBe(false);
  await server.stop();
  chmodSync(path, 0o644);
  await using again = await startBoathook({ dataDir: server.dataDir, flags: ['--kubeconfig', path] });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readAccess(path).server).toBe(again.url);
});

test('whoever finds the port open finds the kubeconfig in place', async () => {
  using folder = tempDir();
  const port = await ownPort();
  const kubeconfig = join(folder.path, 'kubeconfig');
  await using server = launchBoathook(['up', '--data-dir', folder.path, '--port', String(port)]);
  let isOver = false;
  void server.ended.then(() => (isOver = true));
  while (!(await canConnect(port))) expect(isOver, server.errors()).toBe(false);
  // Nothing is awaited between the first connection and this look.
  expect(readFileSync(kubeconfig, 'utf8')).toContain(`https://127.0.0.1:${port}`);
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
  await server.lineLike(/^ready in/);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

test('it listens on loopback alone', async () => {
  await using server = await startBoathook();
  expect(await canConnect(server.port, '127.0.0.1')).toBe(true);
  expect(await canConnect(server.port, '127.0.0.2')).toBe(false);
});

test('without a valid credential every path but the open ones answers 401', async () => {
  await using server = await startBoathook();
  using elsewhere = tempDir();
  const stranger = await ensureCertificates(elsewhere.path, { now: systemClock.now() });
  const strangers: Readonly<Record<string, Credential>> = {
    nobody: 'none',
    'a wrong token': { token: 'guess' },
    'another CA': { cert: stranger.admin.certificate, key: stranger.admin.key },
  };
  for (const [who, as] of Object.entries(strangers)) {
    await using api = openApi(server.access, { as });
    for (const path of ['/api', '/api/v1/namespaces', '/apis/apps/v1/deployments?watch=true']) {
      const { status, body } = await api.send('GET', path);
      expect({ who, status, body }).toEqual({
        who,
        status: 401,
        body: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'Unauthorized',
          reason: 'Unauthorized',
          code: 401,
        },
      });
    }
    expect((await api.send('POST', configMaps, { metadata: { name: 'x' } })).status).toBe(401);
  }
  await using admin = openApi(server.access);
  expect((await admin.send('GET', `${configMaps}/x`)).status).toBe(404);
});

test('--token-file lets its users in, with their groups', async () => {
  using folder = tempDir();
  const file = join(folder.path, 'tokens.csv');
  writeFileSync(file, 'sesame,ada,7,"crew,watch"\nmellon,bob,8\n');
  await using server = await startBoathook({ flags: ['--token-file', file] });
  const whoIs = async (token: string): Promise<unknown> => {
    await using api = openApi(server.access, { as: { token } });
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const { body } = await api.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review);
    return (body['status'] as { userInfo: unknown }).userInfo;
  };
  expect(await whoIs('sesame')).toMatchObject({
    username: 'ada',
    uid: '7',
    groups: ['crew', 'watch', 'system:authenticated'],
  });
  expect(await whoIs('mellon')).toMatchObject({ username: 'bob', groups: ['system:authenticated'] });
});

test('--ephemeral leaves certificates and kubeconfig behind, and no objects', async () => {
  using folder = tempDir();
  const dataDir = join(folder.path, 'data');
  {
    await using server = await startBoathook({ dataDir, flags: ['--ephemeral'] });
    await using api = openApi(server.access);
    await api.create(configMaps, { metadata: { name: 'passing' } });
    await server.stop();
  }
  expect(readdirSync(dataDir).toSorted()).toEqual(['kubeconfig', 'pki']);
  await using again = await startBoathook({ dataDir, flags: ['--ephemeral'] });
  await using api = openApi(again.access);
  expect((await api.send('GET', `${configMaps}/passing`)).status).toBe(404);
});

test('a stop during the start is a clean stop', async () => {
  using folder = tempDir();
  await using server = launchBoathook(['up', '--data-dir', folder.path, '--port', '0']);
  await server.lineLike(/^API/);
  expect(await server.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(existsSync(join(folder.path, 'lock-holder.json'))).toBe(false);
});

test('objects, their revisions and the credentials survive a restart', async () => {
  using folder = tempDir();
  const dataDir = join(folder.path, 'data');
  let before: Thing;
  let highest: number;
  let access;
  {
    await using server = await startBoathook({ dataDir });
    await using api = openApi(server.access);
    before = await api.create(configMaps, { metadata: { name: 'kept' }, data: { tide: 'low' } });
    const gone = await api.create(configMaps, { metadata: { name: 'gone' } });
    await api.send('DELETE', `${configMaps}/gone`);
    highest = Math.max(revisionOf(gone), await listRevision(api));
    access = server.access;
  }
  await using server = await startBoathook({ dataDir });
  // The certificate of before still works; only the port is new.
  await using api = openApi({ ...access, server: server.url });
  expect((await api.send('GET', `${configMaps}/kept`)).body).toEqual(before);
  expect((await api.send('GET', `${configMaps}/gone`)).status).toBe(404);
  expect(await listRevision(api)).toBeGreaterThanOrEqual(highest);
  const after = await api.create(configMaps, { metadata: { name: 'later' } });
  expect(revisionOf(after)).toBeGreaterThan(highest);
  const stale = await api.send('PUT', `${configMaps}/kept`, { ...before, data: { tide: 'high' } });
  expect(stale.status).toBe(200);
  expect(revisionOf(stale.body)).toBeGreaterThan(revisionOf(after));
});

const listRevision = async (api: HttpsApi): Promise<number> =>
  revisionOf((await api.send('GET', configMaps)).body);

test('a watch continues after a restart from its position, or is answered that the position is too old', async () => {
  using folder = tempDir();
  const dataDir = join(folder.path, 'data');
  let from: number;
  {
    await using server = await startBoathook({ dataDir });
    await using api = openApi(server.access);
    from = revisionOf(await api.create(configMaps, { metadata: { name: 'seen' } }));
    for (const name of ['missed-1', 'missed-2']) await api.create(configMaps, { metadata: { name } });
    await api.send('DELETE', `${configMaps}/seen`);
  }
  await using server = await startBoathook({ dataDir });
  await using api = openApi(server.access);
  const events: string[] = [];
  for await (const { type, object } of api.watch(`${configMaps}?watch=true&resourceVersion=${from}`)) {
    if (type === 'ERROR') {
      expect(object).toMatchObject({ kind: 'Status', code: 410, reason: 'Expired' });
      return;
    }
    events.push(`${type} ${object.metadata?.name}`);
    if (events.length === 3) break;
  }
  expect(events).toEqual(['ADDED missed-1', 'ADDED missed-2', 'DELETED seen']);
});

test('--kube-controllers none behaves as a bare server', async () => {
  await using server = await startBoathook({ flags: ['--kube-controllers', 'none'] });
  await using api = openApi(server.access);
  await api.create('/api/v1/namespaces', { metadata: { name: 'bare' } });
  await api.send('DELETE', '/api/v1/namespaces/bare');
  const { body } = await api.send('GET', '/api/v1/namespaces/bare');
  expect(body['status']).toEqual({ phase: 'Terminating' });
  const accounts = await api.send('GET', '/api/v1/namespaces/bare/serviceaccounts');
  expect(accounts.body['items']).toEqual([]);
});

test('what is not HTTP or not TLS hurts nobody', async () => {
  await using server = await startBoathook();
  await Promise.all(
    ['GET / HTTP/1.1\r\n\r\n', '\0\u0001\u0002', 'x'.repeat(100_000)].map(async (noise) => {
      const socket = connect(server.port, '127.0.0.1');
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      socket.resume().end(noise);
      await closed;
    }),
  );
  await using api = openApi(server.access);
  expect(await api.text('/readyz')).toEqual({ status: 200, text: 'ok' });
});
