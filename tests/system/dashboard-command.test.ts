import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { launchBoathook, runBoathook, startBoathook } from '../support/boathook.ts';
import { occupiedPort } from '../support/occupied-port.ts';
import { followProgram } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const linkIn = /(http:\/\/127\.0\.0\.1:\d+)\/#token=([0-9a-f]{64})$/;

async function signIn(
  line: string,
): Promise<{ readonly url: string; readonly body: Record<string, unknown> }> {
  const [, url = '', link = ''] = linkIn.exec(line) ?? [];
  const reply = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  });
  return { url, body: (await reply.json()) as Record<string, unknown> };
}

test('boathook up prints a link that signs in to the dashboard', async () => {
  await using server = await startBoathook({ flags: ['--dashboard-port', '0'] });
  const line = await server.process.lineLike(/^dashboard at /);
  const { url, body } = await signIn(line);
  expect(body).toMatchObject({
    isSignedIn: true,
    isEmbedded: true,
    user: 'boathook-admin',
    server: server.url,
  });
  const page = await fetch(url);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect((await server.stop()).code).toBe(0);
});

test('boathook up goes on without the dashboard when its port is taken', async () => {
  await using occupied = await occupiedPort();
  await using server = await startBoathook({ flags: ['--dashboard-port', String(occupied.port)] });
  await server.process.errorLike(
    /no dashboard, because port \d+ of 127\.0\.0\.1 is taken: choose another with --dashboard-port/,
  );
  expect((await server.stop()).code).toBe(0);
});

test('boathook dashboard serves any cluster with the credentials of the kubeconfig', async () => {
  await using server = await startBoathook();
  await using dashboard = launchBoathook(['dashboard', '--kubeconfig', server.kubeconfig, '--port', '0']);
  const line = await dashboard.lineLike(/^dashboard of /);
  const { body } = await signIn(line);
  expect(body).toMatchObject({
    isSignedIn: true,
    isEmbedded: false,
    user: 'boathook-admin',
    server: server.url,
  });
});

/** A stand-in for the program that opens a browser: it prints what it was asked to open into a file. */
function fakeOpener(folder: string, script: string): Readonly<Record<string, string>> {
  const file = join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
}

test('--open gives the browser a file that only the user can read, and no token as an argument', async () => {
  using folder = tempDir();
  const seen = join(folder.path, 'seen');
  const env = fakeOpener(
    folder.path,
    `path="\${1#file://}"; { echo "$1"; stat -c %a "$path"; cat "$path"; } > ${seen}.part; mv ${seen}.part ${seen}`,
  );
  await using server = await startBoathook();
  const flags = ['--kubeconfig', server.kubeconfig, '--port', '0', '--open'];
  await using dashboard = followProgram(join(root, 'boathook'), ['dashboard', ...flags], { env });
  const [, url = '', token = ''] = linkIn.exec(await dashboard.lineLike(/^dashboard of /)) ?? [];
  await expect.poll(() => existsSync(seen)).toBe(true);
  const [argument = '', mode, page = ''] = readFileSync(seen, 'utf8').split('\n');
  expect(argument).toMatch(/^file:.*\.html$/);
  expect(argument).not.toContain(token);
  expect(mode).toBe('600');
  expect(page).toContain(`url=${url}/#token=${token}"`);
  expect((await dashboard.stop()).code).toBe(0);
  expect(existsSync(fileURLToPath(argument))).toBe(false);
});

test('--open without a browser goes on and names the printed link', async () => {
  using folder = tempDir();
  const env = fakeOpener(folder.path, 'exit 3');
  await using server = await startBoathook();
  const flags = ['--kubeconfig', server.kubeconfig, '--port', '0', '--open'];
  await using dashboard = followProgram(join(root, 'boathook'), ['dashboard', ...flags], { env });
  await dashboard.errorLike(/no browser was opened \(.* ended with exit code 3\): open the printed link/);
  const { body } = await signIn(await dashboard.lineLike(/^dashboard of /));
  expect(body).toMatchObject({ isSignedIn: true });
});

test.for([
  [['--host', '0.0.0.0'], /--host 0\.0\.0\.0 is not a loopback address/],
  [['--port', 'seven'], /--port seven is not a port/],
  [['--kubeconfig', '/nowhere'], /there is no kubeconfig at \/nowhere/],
] as const)('boathook dashboard %s', async ([flags, sentence]) => {
  const ended = await runBoathook(['dashboard', ...flags]);
  expect(ended.code).toBe(2);
  expect(ended.error).toMatch(sentence);
});

test('--dashboard-port that is no port is refused', async () => {
  using folder = tempDir();
  const ended = await runBoathook(['up', '--data-dir', folder.path, '--port', '0', '--dashboard-port', '-1']);
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.error).toContain('--dashboard-port -1 is not a port');
});
