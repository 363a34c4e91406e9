import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { readProjectFile, root } from '../support/project-files.ts';

const releaseFiles = (folder: string): Promise<Ended> =>
  runProgram('sh', ['scripts/with-node.sh', 'scripts/release-files.ts', folder], { cwd: root });

const { version, dependencies } = JSON.parse(readProjectFile('package.json')) as {
  version: string;
  dependencies: Record<string, string>;
};

test('a release has the archive, the manifests, the list of packages and checksums of all', async () => {
  using folder = tempDir();
  const to = join(folder.path, 'dist');
  expect(await releaseFiles(to)).toMatchObject({ code: 0 });
  const chart = existsSync(join(root, 'deploy/chart')) ? [`boathook-chart-${version}.tgz`] : [];
  const files = [
    `boathook-${version}.cdx.json`,
    `boathook-${version}.tgz`,
    ...chart,
    `boathook-deploy-${version}.tgz`,
  ];
  expect(readdirSync(to).toSorted()).toEqual(['SHA256SUMS', ...files]);

  const checked = await runProgram('sha256sum', ['--check', 'SHA256SUMS'], { cwd: to });
  expect(checked).toMatchObject({ code: 0, out: files.map((name) => `${name}: OK\n`).join('') });

  const { metadata, components } = JSON.parse(
    readFileSync(join(to, `boathook-${version}.cdx.json`), 'utf8'),
  ) as {
    metadata: { component: { name: string; version: string } };
    components: { group?: string; name: string; version: string }[];
  };
  expect(metadata.component).toMatchObject({ name: 'boathook', version });
  const listed = components.map(({ name, version: at }) => `${name} ${at}`);
  expect(listed).toEqual(
    expect.arrayContaining(Object.entries(dependencies).map(([name, at]) => `${name} ${at}`)),
  );
  expect(listed.filter((each) => each.startsWith('vitest '))).toEqual([]);

  const { out } = await runProgram('tar', ['--list', `--file=${join(to, `boathook-deploy-${version}.tgz`)}`]);
  expect(out).toContain('boathook/crds/hookruns.tkex.tencent.com.yaml\n');
  expect(out).toContain('boathook/monitoring/alerts.yaml\n');
});

test('a folder that has files in it is refused', async () => {
  using folder = tempDir();
  writeFileSync(join(folder.path, 'old'), '');
  expect(await releaseFiles(folder.path)).toMatchObject({
    code: 2,
    error: expect.stringContaining('is not empty'),
  });
});
