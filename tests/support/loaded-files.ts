import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from './project-files.ts';

/** What a process loaded of `src`, and of which packages. */
export type LoadedFiles = {
  readonly sources: readonly string[];
  readonly lines: number;
  readonly packages: readonly string[];
};

const preloaded = pathToFileURL(join(root, 'tests/support/note-loaded-files.ts')).href;

/** The environment of a process that writes to this file what it loads. */
export const notingLoaded = (file: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import ${preloaded}`,
  LOADED_FILES: file,
});

/** What a process has written there when it ended. */
export function readLoaded(file: string): LoadedFiles {
  const urls = JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
  const paths = urls
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(root, fileURLToPath(url)));
  const sources = paths.filter((path) => path.startsWith('src/'));
  const packages = paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return {
    sources,
    lines: sources.reduce((sum, path) => sum + linesOf(readFileSync(join(root, path), 'utf8')), 0),
    packages: [...new Set(packages)],
  };
}

const linesOf = (text: string): number => text.split('\n').length - 1;
