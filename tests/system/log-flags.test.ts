import { expect, test } from 'vitest';
import { launchBoathook, runBoathook, startBoathook } from '../support/boathook.ts';

const lines = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('with --log-format json every line of a controller is JSON, and a normal event is no warning', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  await using controller = launchBoathook([
    'controller',
    '--kubeconfig',
    server.kubeconfig,
    '--log-format',
    'json',
    '--metrics-address',
    '0',
  ]);
  await controller.errorLike(/"message":"running hookrun/);
  await controller.stop('SIGTERM');
  const logged = lines(controller.errors());
  expect(new Set(logged.map(({ level }) => level))).toEqual(new Set(['info']));
  expect(logged.map(({ message }) => message)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^metrics at /), 'this process is the leader']),
  );
  await expect(controller.line()).rejects.toThrow('without a further line');
});

test('--log-level debug shows the requests, and error not even that it leads', async () => {
  await using server = await startBoathook({ flags: ['--controllers', 'none'] });
  const run = async (level: string): Promise<string> => {
    await using controller = launchBoathook([
      'controller',
      '--kubeconfig',
      server.kubeconfig,
      '--log-level',
      level,
    ]);
    await controller.lineLike(/^running hookrun/);
    await controller.stop('SIGTERM');
    return controller.errors();
  };
  expect(await run('debug')).toMatch(/ DEBUG request method=GET path=\/api\S* .*code=200 ms=\d+$/m);
  expect(await run('error')).toBe('');
});

test('up, nodes and dashboard have the same flags', async () => {
  await using server = await startBoathook({ flags: ['--log-format', 'json', '--log-level', 'debug'] });
  expect(server.said[0]).toMatch(/^API server at/);
  await using nodes = launchBoathook(['nodes', '--kubeconfig', server.kubeconfig, '--log-format', 'json']);
  await nodes.errorLike(/"level":"info","message":"3 simulated nodes on /);
  await using page = launchBoathook([
    'dashboard',
    '--kubeconfig',
    server.kubeconfig,
    '--port',
    '0',
    '--log-format',
    'json',
  ]);
  await page.errorLike(/"level":"info","message":"dashboard of /);
  expect(lines(page.errors()).length).toBeGreaterThan(0);
});

test.for(['controller', 'up', 'nodes', 'dashboard'])(
  '%s refuses a level that does not exist',
  async (command) => {
    expect(await runBoathook([command, '--log-level', 'loud'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('--log-level loud does not exist: choose from debug, info, warn, error'),
    });
  },
);
