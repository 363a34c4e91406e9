import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { launchBoathook, startBoathook } from '../support/boathook.ts';
import { openApi } from '../support/https-api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

test.for(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it within 2 s, however many are watching, and everything is kept',
  async (signal) => {
    using folder = tempDir();
    const dataDir = join(folder.path, 'data');
    await using server = await startBoathook({ dataDir });
    await using api = openApi(server.access, { connections: 20 });
    const watches = Array.from({ length: 10 }, () => api.watch(`${configMaps}?watch=true`));
    await Promise.all(watches.map((each) => each.next()));
    await api.create(configMaps, { metadata: { name: 'last' } });
    const began = performance.now();
    expect(await server.stop(signal)).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(2000);
    await Promise.allSettled(watches.map((each) => each.return(undefined)));
    await using again = await startBoathook({ dataDir });
    await using next = openApi(again.access);
    expect((await next.send('GET', `${configMaps}/last`)).status).toBe(200);
  },
);

test('simulated nodes end within 2 s, also while the server is down', async () => {
  await using server = await startBoathook({ flags: ['--kube-controllers', 'all'] });
  const play = async (prefix: string): Promise<ReturnType<typeof launchBoathook>> => {
    const flags = ['--nodes', '1', '--name-prefix', prefix, '--profile', 'instant'];
    const played = launchBoathook(['nodes', '--kubeconfig', server.kubeconfig, ...flags]);
    await played.lineLike(/, ready in /);
    return played;
  };
  await using one = await play('one-');
  await using other = await play('other-');
  const stopped = performance.now();
  expect(await one.stop()).toEqual({ code: 0, signal: null });
  expect(performance.now() - stopped).toBeLessThan(2000);
  await server.stop('SIGKILL');
  await other.errorLike(/ECONNREFUSED/);
  const interrupted = performance.now();
  expect(await other.stop('SIGINT')).toEqual({ code: 0, signal: null });
  expect(performance.now() - interrupted).toBeLessThan(2000);
});
