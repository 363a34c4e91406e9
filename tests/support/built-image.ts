import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { missing, needs, thisSystem } from '../../scripts/system-needs.ts';
import { root } from './project-files.ts';

/** The image of this checkout, built with buildah on a base made by debootstrap, in a storage of its own. */
export type BuiltImage = Disposable & {
  readonly folder: string;
  /** The files of the image, in a folder that can be written. */
  readonly files: string;
  /** As the image has it: the program, its arguments and its environment. */
  readonly entrypoint: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Of the layers as a registry stores them, in bytes. */
  readonly compressed: number;
};

const tag = 'localhost/boathook:test';
const base = 'localhost/boathook-base';

export function buildImage(): BuiltImage {
  demandTools();
  const temporary = tempDir();
  const folder = temporary.path;
  const storage = storageIn(folder);
  const buildah = (...args: readonly string[]): string =>
    execFileSync('buildah', args, {
      env: storage,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim();
  makeBase(folder, buildah);
  execFileSync(
    'sh',
    [
      join(root, 'scripts/with-node.sh'),
      join(root, 'scripts/image.ts'),
      '--engine',
      'buildah',
      '--base',
      base,
      '--tag',
      tag,
    ],
    { env: storage, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  buildah('push', '--quiet', tag, `oci:${join(folder, 'oci')}:test`);
  const container = buildah('from', '--pull-never', tag);
  const { config, ...inspected } = readConfig(buildah('inspect', '--type', 'image', tag));
  return {
    ...inspected,
    environment: Object.fromEntries((config.Env ?? []).map((each) => each.split(/=(.*)/s).slice(0, 2))),
    folder,
    files: buildah('mount', container),
    compressed: sizeOf(join(folder, 'oci/blobs/sha256')),
    [Symbol.dispose]() {
      buildah('umount', container);
      temporary[Symbol.dispose]();
    },
  };
}

function demandTools(): void {
  const wanted = needs.filter(({ name }) => name === 'buildah' || name === 'debootstrap');
  const absent = missing(wanted, thisSystem().path);
  if (absent.length > 0)
    throw new Error(`this needs ${absent.map(({ name }) => name).join(' and ')}, which npm test installs`);
}

/** Nothing outside of the folder is used: no images of this machine, no overlay of its file system. */
function storageIn(folder: string): NodeJS.ProcessEnv {
  const file = join(folder, 'storage.conf');
  const text = `[storage]\ndriver = "vfs"\ngraphroot = "${join(folder, 'graph')}"\nrunroot = "${join(folder, 'run')}"\n`;
  writeFileSync(file, text);
  return { ...process.env, CONTAINERS_STORAGE_CONF: file, TMPDIR: folder };
}

/** The smallest Debian of the release and from the place that this machine installs packages from. */
function makeBase(folder: string, buildah: (...args: readonly string[]) => string): void {
  const format = ['indextargets', '--format', '$(SITE) $(RELEASE)', 'Created-By: Packages'];
  const targets = execFileSync('apt-get', format, { encoding: 'utf8' }).trim().split('\n');
  const [site = '', release = ''] = (targets.find((line) => /\/debian\/? [a-z]+$/.test(line)) ?? '').split(
    ' ',
  );
  const files = join(folder, 'debian');
  mkdirSync(files);
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', release, files, site], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const container = buildah('from', 'scratch');
  buildah('copy', '--quiet', container, files, '/');
  buildah('commit', '--quiet', container, base);
  buildah('rm', container);
}

type ImageConfig = {
  readonly Entrypoint?: readonly string[];
  readonly Env?: readonly string[];
  readonly User?: string;
  readonly Labels?: Readonly<Record<string, string>>;
};

function readConfig(
  text: string,
): Pick<BuiltImage, 'entrypoint' | 'user' | 'labels'> & { readonly config: ImageConfig } {
  const { OCIv1: described } = JSON.parse(text) as { readonly OCIv1: { readonly config: ImageConfig } };
  const { config } = described;
  return {
    config,
    entrypoint: config.Entrypoint ?? [],
    user: config.User ?? '',
    labels: config.Labels ?? {},
  };
}

const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

/** What a process says of itself in /proc. */
export const processFile = (pid: number, name: string): string =>
  readFileSync(`/proc/${pid}/${name}`, 'utf8');
