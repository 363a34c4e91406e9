import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { textWidth } from '#base/text-width.ts';
import { openClusterWorld, type ClusterWorld } from '../support/cluster-world.ts';
import { root } from '../support/project-files.ts';

const address = '192.0.2.21';
const size = 300 * 1024 * 1024;

/** A Cluster that sends one large file, and has a hook. */
function large(world: ClusterWorld): void {
  writeFileSync(join(world.folder, 'large'), '');
  truncateSync(join(world.folder, 'large'), size);
  const cluster = {
    apiVersion: 'platform.tkestack.io/v1',
    kind: 'Cluster',
    metadata: { name: 'cls-large' },
    spec: {
      type: 'Baremetal',
      machines: [{ ip: address, port: 22, username: 'root', password: 'MTIzNDU2' }],
      features: {
        files: [
          { src: 'large', dst: '/srv/sent/large' },
          { src: 'hooks/pre-install', dst: '/srv/sent/pre-install' },
        ],
        hooks: { PreInstall: '/srv/sent/pre-install' },
      },
    },
  };
  writeFileSync(join(world.folder, 'large.json'), JSON.stringify(cluster));
}

const deploy = ['deploy', '-f', 'large.json', '--installer', 'none'] as const;

const openLarge = async (): Promise<ClusterWorld> => {
  const world = await openClusterWorld([{ address, password: '123456', folders: ['/srv'] }], 'single-files');
  large(world);
  return world;
};

test('a large file on its way shows how far it is, and Ctrl-C ends it at once and leaves no half file', async () => {
  await using world = await openLarge();
  await using operator = world.follow(...deploy, '-o', 'json');
  const line = await operator.lineLike(/"type":"copy"/);
  expect(JSON.parse(line)).toMatchObject({ step: 'files/copy', node: address, total: expect.any(Number) });
  const { bytes, total } = JSON.parse(line) as { bytes: number; total: number };
  expect(total).toBeGreaterThanOrEqual(size);
  expect(bytes).toBeLessThan(size);
  const half = (): string => world.on(address, 'find /srv -type f');
  await vi.waitFor(() => expect(half()).not.toBe(''), 60_000);
  const begun = performance.now();
  const { code } = await operator.stop('SIGINT');
  expect(code).toBe(130);
  expect(performance.now() - begun).toBeLessThan(30_000);
  await vi.waitFor(() => expect(half()).toBe(''), 120_000);
  const resumed = await world.cluster('resume', ...deploy.slice(1));
  expect(resumed.code, resumed.out + resumed.error).toBe(0);
  expect(world.on(address, 'stat -c %s /srv/sent/large')).toBe(`${size}\n`);
});

/** What a user sees in a terminal of that many columns, row by row as it was written. */
async function inTerminal(world: ClusterWorld, columns: number, command: string): Promise<readonly string[]> {
  symlinkSync(join(root, 'boathook'), join(world.folder, 'boathook'));
  const script = `stty cols ${columns} rows 20; ./boathook cluster ${command} --data-dir ${world.dataDir}`;
  const { code, out, error } = await world.shell(`script -qefc '${script}' /dev/null`);
  expect(code, out + error).toBe(0);
  rmSync(join(world.folder, 'boathook'));
  const escape = String.fromCodePoint(27);
  return out
    .replaceAll(new RegExp(`${escape}\\[[?\\d;]*[A-Za-z]`, 'gu'), '\n')
    .split(/[\r\n]+/)
    .filter((row) => row !== '');
}

test('in a narrow terminal no row of the plan, the display or the status is wider than it', async () => {
  await using world = await openClusterWorld([{ address, password: '123456' }], 'single-files');
  const words = 'a script that prints very long lines, 很长的输出, and goes on';
  writeFileSync(
    join(world.folder, 'hooks/pre-install'),
    `#!/bin/sh\nfor i in 1 2 3; do echo "${words} ${words}"; sleep 0.3; done\n`,
  );
  const columns = 50;
  const tooWide = (rows: readonly string[]): readonly string[] =>
    rows.filter((row) => textWidth(row) > columns);
  const planned = await inTerminal(world, columns, 'plan deploy -f cluster.yaml --installer none');
  const table = planned.filter((row) => /^(?:STEP|files|node-)/.test(row));
  expect(table).toHaveLength(5);
  expect(tooWide(table)).toEqual([]);
  const shown = await inTerminal(world, columns, 'deploy -f cluster.yaml --installer none');
  const rows = shown.filter((row) => /^(?:192\.0\.2\.21 {2}|\[[█░])/.test(row));
  expect(rows.some((row) => row.endsWith('…'))).toBe(true);
  expect(tooWide(rows)).toEqual([]);
  expect(
    tooWide(await inTerminal(world, columns, 'status -f cluster.yaml')).filter((row) => row.includes('  ')),
  ).toEqual([]);
});

test('what fails is retried as often as --retries allows, and the time of the next try is printed', async () => {
  await using world = await openClusterWorld([{ address, password: '123456' }], 'single-files');
  writeFileSync(join(world.folder, 'hooks/pre-install'), '#!/bin/sh\nexit 7\n');
  const given = ['deploy', '-f', 'cluster.yaml', '--installer', 'none', '--retries'] as const;
  const failed = await world.cluster(...given, '1');
  expect(failed.code, failed.out).toBe(1);
  expect(failed.out.match(/PreInstall: Failed/g)).toHaveLength(2);
  expect(failed.out).toMatch(/Blocked, next try at \d\d:\d\d:\d\d \(in 1s\)/);
  expect(failed.out).toContain('Gave up after 2 attempts: --retries sets the number of retries');
  const once = await world.cluster('retry', '-f', 'cluster.yaml', '--retries', '0');
  expect(once.code, once.out).toBe(1);
  expect(once.out.match(/PreInstall: Failed/g)).toHaveLength(1);
  const refused = await world.cluster(...given, 'many');
  expect(refused.error).toContain('--retries=many must be a whole number of at least 0');
});
