import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { kinds } from '#cli/kinds.ts';
import { generatedFiles, generatedFolders } from './generated-files.ts';
import { root } from './run-tool.ts';

type Change = { readonly path: string; readonly text: string | undefined };

/** `npm run generate` writes the generated files; with `--check` it only says which are not as they should be. */
function main(args: readonly string[]): number {
  const found = changes();
  if (!args.includes('--check')) {
    for (const change of found) apply(change);
    console.log(found.length === 0 ? 'Everything is up to date.' : found.map(describe).join('\n'));
    return 0;
  }
  if (found.length === 0) return 0;
  console.error(['Generated files have drifted; run: npm run generate', ...found.map(describe)].join('\n'));
  return 1;
}

function changes(): readonly Change[] {
  const wanted = generatedFiles(kinds, (path) => read(path) ?? '');
  const paths = new Set(wanted.map(({ path }) => path));
  const present = generatedFolders.flatMap((folder) =>
    existsSync(join(root, folder)) ? filesIn(folder) : [],
  );
  const stale = present.filter((path) => !paths.has(path)).map((path) => ({ path, text: undefined }));
  return [...wanted.filter(({ path, text }) => read(path) !== text), ...stale];
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

function read(path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
}

function apply({ path, text }: Change): void {
  if (text === undefined) return rmSync(join(root, path));
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const describe = ({ path, text }: Change): string => `${text === undefined ? 'remove' : 'write '} ${path}`;

process.exitCode = main(process.argv.slice(2));
