import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { runBoathook, startBoathook } from '../support/boathook.ts';
import { openApi, type HttpsApi } from '../support/https-api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string): unknown => ({ metadata: { name }, data: { filler: 'x'.repeat(2000) } });
const journal = (dataDir: string): string => join(dataDir, 'objects.db');

async function namesIn(api: HttpsApi): Promise<readonly string[]> {
  const { body } = await api.send('GET', configMaps);
  const items = body['items'] as readonly { readonly metadata: { readonly name: string } }[];
  return items.map(({ metadata }) => metadata.name);
}

async function namesAfterStart(dataDir: string): Promise<readonly string[]> {
  await using server = await startBoathook({ dataDir });
  await using api = openApi(server.access);
  await api.create(configMaps, configMap('after'));
  return await namesIn(api);
}

test('a backup is taken while the server is written to; it holds all that was acknowledged before', async () => {
  using folder = tempDir();
  await using server = await startBoathook();
  await using api = openApi(server.access);
  const over = new AbortController();
  const acknowledged: string[] = [];
  const writing = Array.from({ length: 4 }, async (_, writer) => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      const name = `w${writer}-${count}`;
      await api.create(configMaps, configMap(name));
      acknowledged.push(name);
    }
  });
  for (let round = 0; round < 4; round += 1) {
    const to = join(folder.path, `backup-${round}`);
    const before = [...acknowledged];
    const { code, error, out } = await runBoathook([
      'data',
      'backup',
      '--data-dir',
      server.dataDir,
      '--to',
      to,
    ]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toContain(`${to} holds `);
    expect(statSync(to).mode & 0o777).toBe(0o700);
    expect(statSync(journal(to)).mode & 0o777).toBe(0o600);
    const check = await runBoathook(['data', 'check', '--data-dir', to, '-o', 'json']);
    expect(JSON.parse(check.out)).toMatchObject({ problems: [], format: 2 });
    if (round === 3) expect(await namesAfterStart(to)).toEqual(expect.arrayContaining([...before, 'after']));
  }
  expect((await runBoathook(['data', 'check', '--data-dir', server.dataDir])).code).toBe(0);
  over.abort();
  await Promise.all(writing);
  // The server never noticed.
  expect(server.process.errors()).toBe('');
});

test('a server whose log is gone is not started; what can be trusted is salvaged and the rest is named', async () => {
  using folder = tempDir();
  const dataDir = join(folder.path, 'data');
  {
    await using first = await startBoathook({ dataDir });
    await using api = openApi(first.access);
    await api.create(configMaps, configMap('early'));
  }
  {
    await using second = await startBoathook({ dataDir });
    await using api = openApi(second.access);
    for (let count = 0; count < 20; count += 1) await api.create(configMaps, configMap(`late-${count}`));
    await second.stop('SIGKILL');
  }
  rmSync(`${journal(dataDir)}-wal`);
  const digest = (): string =>
    createHash('sha256')
      .update(readFileSync(journal(dataDir)))
      .digest('hex');
  const before = digest();

  const refused = await runBoathook(['up', '--data-dir', dataDir, '--port', '0']);
  expect(refused.code).toBe(2);
  expect(refused.error).toMatch(/objects\.db is damaged: run boathook data check .* boathook data salvage/);
  expect(refused.error).toMatch(/\d+ writes are missing/);

  const check = await runBoathook(['data', 'check', '--data-dir', dataDir]);
  expect(check.code).toBe(2);
  expect(check.out).toMatch(/It is damaged:\n {2}it ends at revision \d+, but revision \d+ was written/);

  const to = join(folder.path, 'rescued');
  const salvage = await runBoathook(['data', 'salvage', '--data-dir', dataDir, '--to', to]);
  expect(salvage).toMatchObject({ code: 4, error: '' });
  expect(salvage.out).toMatch(/This is lost:\n.*writes are missing/);
  expect(digest()).toBe(before);
  const names = await namesAfterStart(to);
  expect(names).toEqual(expect.arrayContaining(['early', 'after']));
  const again = await runBoathook(['data', 'salvage', '--data-dir', dataDir, '--to', to]);
  expect(again).toMatchObject({ code: 2, error: expect.stringContaining('exists already') });
});

test.for([
  {
    name: 'a directory that holds nothing',
    args: ['check', '--data-dir', 'none'],
    code: 2,
    error: /holds no objects/,
  },
  { name: 'a backup without a target', args: ['backup'], code: 2, error: /--to <path>/ },
])('$name is refused', async ({ args, code, error }) => {
  const ended = await runBoathook(['data', ...args]);
  expect(ended.code).toBe(code);
  expect(ended.error).toMatch(error);
});

test('what a running server uses is not salvaged', async () => {
  using folder = tempDir();
  await using server = await startBoathook();
  const to = join(folder.path, 'rescued');
  const { code, error } = await runBoathook(['data', 'salvage', '--data-dir', server.dataDir, '--to', to]);
  expect(code).toBe(3);
  expect(error).toContain(`in use by process ${server.pid}`);
});
