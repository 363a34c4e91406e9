import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { missing, needs, thisSystem } from '../../scripts/system-needs.ts';
import { runProgram } from './program.ts';
import { root } from './project-files.ts';

/** The image of this checkout, built with buildah on a base made by debootstrap, in a storage of its own. */
export type BuiltImage = AsyncDisposable & {
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

export async function buildImage(): Promise<BuiltImage> {
  demandTools();
  const temporary = tempDir();
  const folder = temporary.path;
  const env = storageIn(folder);
  const run: Run = async (file, ...args) => {
    const { code, out, error } = await runProgram(file, args, { env });
    if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}\n${out}${error}`);
    return out.trim();
  };
  await makeBase(folder, run);
  const flags = ['--engine', 'buildah', '--base', base, '--tag', tag];
  await run('sh', join(root, 'scripts/with-node.sh'), join(root, 'scripts/image.ts'), ...flags);
  await run('buildah', 'push', '--quiet', tag, `oci:${join(folder, 'oci')}:test`);
  const container = await run('buildah', 'from', '--pull-never', tag);
  const { config, ...inspected } = readConfig(await run('buildah', 'inspect', '--type', 'image', tag));
  return {
    ...inspected,
    environment: Object.fromEntries((config.Env ?? []).map((each) => each.split(/=(.*)/s).slice(0, 2))),
    folder,
    files: await run('buildah', 'mount', container),
    compressed: sizeOf(join(folder, 'oci/blobs/sha256')),
    async [Symbol.asyncDispose]() {
      await run('buildah', 'umount', container);
      temporary[Symbol.dispose]();
    },
  };
}

/** Runs a program to success and gives back what it printed. */
type Run = (file: string, ...args: readonly string[]) => Promise<string>;

function demandTools(): void {
  const wanted = needs.filter(({ name }) => name === 'buildah' || name === 'debootstrap');
  const absent = missing(wanted, thisSystem().path);
  if (absent.length > 0)
    throw new Error(`this needs ${absent.map(({ name }) => name).join(' and ')}, which npm test installs`);
}

/** Nothing outside of the folder is used: no images of this machine, no overlay of its file system. */
function storageIn(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, 'storage.conf');
  const text = `[storage]\ndriver = "vfs"\ngraphroot = "${join(folder, 'graph')}"\nrunroot = "${join(folder, 'run')}"\n`;
  writeFileSync(file, text);
  return { CONTAINERS_STORAGE_CONF: file, TMPDIR: folder };
}

/** The smallest Debian of the release and from the place that this machine installs packages from. */
async function makeBase(folder: string, run: Run): Promise<void> {
  const format = ['indextargets', '--format', '$(SITE) $(RELEASE)', 'Created-By: Packages'];
  const targets = (await run('apt-get', ...format)).split('\n');
  const [site = '', release = ''] = (targets.find((line) => /\/debian\/? [a-z]+$/.test(line)) ?? '').split(
    ' ',
  );
  const files = join(folder, 'debian');
  mkdirSync(files);
  await run('debootstrap', '--variant=minbase', '--include=ca-certificates', release, files, site);
  const container = await run('buildah', 'from', 'scratch');
  await run('buildah', 'copy', '--quiet', container, files, '/');
  await run('buildah', 'commit', '--quiet', container, base);
  await run('buildah', 'rm', container);
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
