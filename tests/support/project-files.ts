import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Every file that belongs to the project: known to git, or new and not ignored. Paths from the root. */
export function projectFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const paths = [...new Set(listed.split('\0'))].filter((path) => path !== '');
  return paths.filter((path) => existsSync(join(root, path)) && statSync(join(root, path)).isFile()).sort();
}

export const readProjectFile = (path: string): string => readFileSync(join(root, path), 'utf8');
