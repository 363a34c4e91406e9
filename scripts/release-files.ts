import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root, runTool, toolEnvironment } from './run-tool.ts';

/**
 * `npm run release-files -- FOLDER`: everything that a release has but the image. The archive of `npm run package`, the
 * chart and the manifests as archives, the rules and the dashboard, the list of packages (SBOM), and the checksums of all.
 */
async function main([folder = 'dist']: readonly string[]): Promise<number> {
  const to = resolve(folder);
  mkdirSync(to, { recursive: true });
  if (readdirSync(to).length > 0) {
    console.error(`${folder} is not empty: name a folder that is new or empty`);
    return 2;
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const packed = await runTool(['npm', 'run', '--silent', 'package', '--', to]);
  if (packed.code !== 0) return packed.code;
  for (const { name, path } of archives(version)) {
    if (!existsSync(join(root, path))) continue;
    const { code } = await runTool(tar(join(to, name), path));
    if (code !== 0) return code;
  }
  const listed = packageList();
  if (listed === undefined) return 1;
  writeFileSync(join(to, `boathook-${version}.cdx.json`), listed);
  writeFileSync(join(to, 'SHA256SUMS'), checksums(to));
  return 0;
}

type Component = { readonly 'bom-ref': string; readonly properties?: readonly { readonly name: string }[] };
type Sbom = {
  readonly metadata: { readonly component: object };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
};

/** The packages that Boathook runs with, in the format of CycloneDX. */
function packageList(): string | undefined {
  const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    env: toolEnvironment(),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) {
    console.error(`npm sbom failed: ${stderr}`);
    return undefined;
  }
  return `${JSON.stringify(withoutDevelopment(JSON.parse(stdout) as Sbom), undefined, 2)}\n`;
}

/** `--omit dev` of npm also omits packages that are peers of one for development. It calls the project like its folder. */
function withoutDevelopment(list: Sbom): Sbom {
  const isForDevelopment = ({ properties = [] }: Component): boolean =>
    properties.some(({ name }) => name === 'cdx:npm:package:development');
  const dropped = new Set(list.components.filter(isForDevelopment).map((each) => each['bom-ref']));
  return {
    ...list,
    metadata: { ...list.metadata, component: { ...list.metadata.component, name: 'boathook' } },
    components: list.components.filter((each) => !dropped.has(each['bom-ref'])),
    dependencies: list.dependencies
      .filter(({ ref }) => !dropped.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => !dropped.has(each)) })),
  };
}

/** The folders that are released as archives. A chart is an archive with one folder, which has its name. */
const archives = (version: string) => [
  { name: `boathook-chart-${version}.tgz`, path: 'deploy/chart' },
  { name: `boathook-deploy-${version}.tgz`, path: 'deploy' },
];

/** The same input gives the same archive: no times, no names of users. */
const tar = (archive: string, path: string): readonly string[] => [
  'tar',
  '--create',
  '--gzip',
  `--file=${archive}`,
  '--sort=name',
  '--mtime=@0',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  `--transform=s,^${path},boathook,`,
  `--directory=${root}`,
  path,
];

const checksums = (folder: string): string =>
  readdirSync(folder)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('');

process.exitCode = await main(process.argv.slice(2));
