import { join } from 'node:path';
import { build } from 'vite';
import { root } from './run-tool.ts';

/**
 * `node scripts/bundle-page.ts FOLDER`: the page of the dashboard, bundled into a folder. Nothing is inlined: the content
 * security policy of the server allows no inline script or style, and no data URLs.
 */
async function main([folder]: readonly string[]): Promise<void> {
  if (folder === undefined) throw new Error('Usage: node scripts/bundle-page.ts FOLDER');
  await build({
    root: join(root, 'src/web/page'),
    configFile: false,
    mode: 'production',
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      reportCompressedSize: false,
    },
  });
}

await main(process.argv.slice(2));
