import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { asInstalled } from './package-file.ts';
import { withInstalledImports } from './package-imports.ts';
import { root, runTool } from './run-tool.ts';

/** What is part of the package as it is. */
const copied = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'SECURITY.md',
  'boathook',
  'scripts/completion',
  'scripts/find-node.sh',
  'deploy',
  'docs',
];

/**
 * `npm run package [-- FOLDER]`: an archive that npm can install anywhere. Node runs TypeScript only outside of
 * node_modules, so the types are stripped here; declarations go along for those who import `boathook/sdk`.
 */
async function main([folder = '.']: readonly string[]): Promise<number> {
  const stage = mkdtempSync(join(tmpdir(), 'boathook-package-'));
  try {
    const declarations = ['--outDir', join(stage, 'dist')];
    const { code } = await runTool(['tsc', '-p', 'tsconfig.package.json', ...declarations]);
    if (code !== 0) return code;
    for (const path of globSync('**/*.d.ts', { cwd: join(stage, 'dist') }))
      rewrite(join(stage, 'dist', path), (text) => withInstalledImports(path, text));
    for (const path of sources()) writeScript(stage, path);
    for (const path of copied) cpSync(join(root, path), join(stage, path), { recursive: true });
    chmodSync(join(stage, 'boathook'), 0o755);
    const page = [process.execPath, 'scripts/bundle-page.ts', join(stage, 'dist/web/built-page')];
    const bundled = await runTool(page);
    if (bundled.code !== 0) return bundled.code;
    const described = asInstalled(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object);
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
    const destination = resolve(folder);
    mkdirSync(destination, { recursive: true });
    const packed = await runTool(['npm', 'pack', '--silent', stage, '--pack-destination', destination]);
    return packed.code;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

const sources = (): readonly string[] =>
  globSync('**/*.ts', {
    cwd: join(root, 'src'),
    exclude: ['**/*.test.ts', '**/testing/**', 'web/page/**'],
  });

function writeScript(stage: string, path: string): void {
  const stripped = stripTypeScriptTypes(readFileSync(join(root, 'src', path), 'utf8'));
  const file = join(stage, 'dist', path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, withInstalledImports(path, stripped));
}

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

process.exitCode = await main(process.argv.slice(2));
