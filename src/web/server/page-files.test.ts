import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openPageFiles } from './page-files.ts';

const files = openPageFiles();
const textOf = async (path: string): Promise<string> =>
  Buffer.from((await files.fileOf(path))?.body ?? []).toString('utf8');

test('every path that is no asset is the page, so that links to objects can be opened', async () => {
  const page = await textOf('/');
  expect(page).toContain('<div id="page">');
  expect(await textOf('/release/GameDeployment/shop/web')).toBe(page);
  expect(await files.fileOf('/assets/other.js')).toBeUndefined();
  expect((await files.fileOf('/'))?.isHashed).toBe(false);
});

test('the page has no inline script or style and loads nothing from elsewhere', async () => {
  const page = await textOf('/');
  const scripts = [...page.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)];
  expect(scripts.map(([, , text]) => text)).toEqual(['']);
  expect(page).not.toMatch(/<style|style=| on\w+=/);
  for (const [, address = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g))
    expect(address).toMatch(/^\/assets\//);
});

test('the script is smaller than 250 kB compressed, and its name changes with its content', async () => {
  const [, path = ''] = /src="([^"]+)"/.exec(await textOf('/')) ?? [];
  const script = await files.fileOf(path);
  expect(script).toMatchObject({ type: 'text/javascript; charset=utf-8', isHashed: true });
  expect(script?.gzip.length).toBeLessThan(250_000);
  expect(gunzipSync(script?.gzip ?? new Uint8Array()).equals(script?.body ?? new Uint8Array())).toBe(true);
});

test('styles load nothing from elsewhere either', async () => {
  const [, path = ''] = /href="([^"]+\.css)"/.exec(await textOf('/')) ?? [];
  const styles = await textOf(path);
  expect(styles.length).toBeGreaterThan(1000);
  expect(styles).not.toMatch(/url\(|@import/);
});
