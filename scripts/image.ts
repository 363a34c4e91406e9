import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stageImage, type Architecture } from './image-stage.ts';
import { root, runTool } from './run-tool.ts';

/** Programs that build images: how each is asked whether it works here, and how it builds. */
const engines = {
  docker: { works: ['docker', 'version'], build: ['docker', 'build'] },
  podman: { works: ['podman', 'info'], build: ['podman', 'build'] },
  buildah: { works: ['buildah', 'info'], build: ['buildah', 'bud', '--isolation', 'chroot'] },
} as const;
type EngineName = keyof typeof engines;
const engineNames = Object.keys(engines) as readonly EngineName[];

/** A client without its daemon does not build. */
const works = (name: EngineName): boolean => {
  const [file, ...args] = engines[name].works;
  return spawnSync(file, args, { stdio: 'ignore' }).status === 0;
};

/**
 * `npm run image [-- --tag NAME --base IMAGE --engine NAME --arch x64|arm64]`: builds the image with docker, podman or
 * buildah, whichever works here.
 */
async function main(args: readonly string[]): Promise<number> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const { values } = parseArgs({
    args: [...args],
    options: {
      tag: { type: 'string', default: `boathook:${version}` },
      base: { type: 'string' },
      engine: { type: 'string' },
      arch: { type: 'string', default: process.arch },
    },
  });
  const architecture = architectureOf(values.arch);
  const engine = engineNames.find((name) =>
    values.engine === undefined ? works(name) : name === values.engine,
  );
  if (engine === undefined || architecture === undefined) {
    console.error(
      architecture === undefined
        ? `--arch ${values.arch} is not supported: use x64 or arm64`
        : `Nothing here builds images: install one of ${engineNames.join(', ')}, and start its daemon if it has one`,
    );
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'boathook-image-'));
  try {
    const staged = await stageImage(folder, architecture);
    if (staged !== 0) return staged;
    const base = values.base === undefined ? [] : ['--build-arg', `BASE=${values.base}`];
    const platform = ['--platform', architecture === 'x64' ? 'linux/amd64' : 'linux/arm64'];
    const build = [...engines[engine].build, ...platform, ...base, '--build-arg', `VERSION=${version}`];
    const { code } = await runTool([...build, '-t', values.tag, folder]);
    if (code === 0) console.log(`${values.tag} is built with ${engine}`);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const architectureOf = (text: string): Architecture | undefined =>
  text === 'x64' || text === 'arm64' ? text : undefined;

process.exitCode = await main(process.argv.slice(2));
