import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTool } from './run-tool.ts';

export type Architecture = 'x64' | 'arm64';

type Locked = { readonly dev?: boolean; readonly optional?: boolean; readonly devOptional?: boolean };

/** The packages that the program itself needs, as the lock file has them: folders below the project. */
export function runtimePackages(lock: string): readonly string[] {
  const { packages } = JSON.parse(lock) as { readonly packages: Readonly<Record<string, Locked>> };
  return Object.entries(packages)
    .filter(([path]) => path.startsWith('node_modules/'))
    .filter(([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional)
    .map(([path]) => path);
}

/** Types, source maps and pages of a package: nothing that runs. */
const idle = /\.(?:d\.[cm]?ts|[cm]?ts|map|md|markdown)$/;

/** Fills a folder with what the Dockerfile copies. */
export async function stageImage(folder: string, architecture: Architecture): Promise<number> {
  const app = join(folder, 'app');
  mkdirSync(app, { recursive: true });
  const packed = await runTool([process.execPath, 'scripts/package.ts', folder]);
  if (packed.code !== 0) return packed.code;
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const archive = join(folder, `boathook-${version}.tgz`);
  const unpacked = await runTool(['tar', '-xzf', archive, '-C', app, '--strip-components=1']);
  if (unpacked.code !== 0) return unpacked.code;
  rmSync(archive);
  for (const path of runtimePackages(readFileSync(join(root, 'package-lock.json'), 'utf8')))
    cpSync(join(root, path), join(app, path), {
      recursive: true,
      filter: (source) =>
        !idle.test(source) && !source.slice(join(root, path).length).includes('node_modules'),
    });
  const node = join(root, 'node_modules', `node-linux-${architecture}`, 'bin/node');
  if (!existsSync(node)) {
    console.error(
      `${node} does not exist: npm ci installs only the package of this machine. Use npm ci --cpu=${architecture}`,
    );
    return 1;
  }
  cpSync(node, join(folder, 'node'));
  chmodSync(join(folder, 'node'), 0o755);
  cpSync(join(root, 'deploy/image/Dockerfile'), join(folder, 'Dockerfile'));
  return 0;
}
