import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { launchBoathook, runBoathook, startBoathook } from '../support/boathook.ts';
import { occupiedPort } from '../support/occupied-port.ts';

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
