import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What the bundle is made of. */
const sources = ['src/web/page/**/*.*', 'src/web/wire/*.ts', 'src/base/*.ts', 'scripts/bundle-page.ts'];

/**
 * The folder with the bundled page of a checkout. It is made once for each state of its sources, by a process of its own:
 * bundling here would stop everything else that this process does for seconds.
 */
export async function bundledPage(checkout: string): Promise<string> {
  const cache = join(checkout, 'node_modules/.cache/boathook-page');
  const folder = join(cache, hashOf(checkout));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const unfinished = `${folder}.${process.pid}`;
  try {
    await bundle(checkout, unfinished);
    place(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  for (const name of readdirSync(cache))
    if (/^[0-9a-f]+$/.test(name) && join(cache, name) !== folder)
      rmSync(join(cache, name), { recursive: true, force: true });
  return folder;
}

async function bundle(checkout: string, folder: string): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production' };
  try {
    await run(process.execPath, ['scripts/bundle-page.ts', folder], { cwd: checkout, env });
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    throw new Error(`the page of the dashboard could not be bundled; is npm ci done?\n${stderr}`.trimEnd(), {
      cause: error,
    });
  }
}

/** Another process may have made the same folder meanwhile. */
function place(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function hashOf(checkout: string): string {
  const hash = createHash('sha256');
  const names = sources
    .flatMap((pattern) => globSync(pattern, { cwd: checkout }))
    .filter((name) => !/\.test\.tsx?$/.test(name));
  for (const name of [...names.toSorted(), 'package-lock.json'])
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(checkout, name)))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}
