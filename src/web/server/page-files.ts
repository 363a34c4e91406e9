import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledPage } from './bundled-page.ts';
import { loadPage, type PageFile } from './load-page.ts';

/** The files of the page. In a checkout they are bundled first; a call waits for that. */
export type PageFiles = {
  /** The file of a path such as `/assets/index-abc.js`; undefined: there is none. Other paths are deep links: the page itself. */
  fileOf(path: string): Promise<PageFile | undefined>;
};

const web = dirname(dirname(fileURLToPath(import.meta.url)));
/** Where `npm run package` puts the page. */
const packaged = join(web, 'built-page');

/**
 * Starts to make the page ready. A failure is in `fileOf`, so that the server is ready meanwhile; the next call after a
 * failure tries again.
 */
export function openPageFiles(): PageFiles {
  const start = (): Promise<ReadonlyMap<string, PageFile>> => {
    const loaded = load();
    loaded.catch(() => {
      files = undefined;
    });
    return loaded;
  };
  let files: Promise<ReadonlyMap<string, PageFile>> | undefined = start();
  return {
    async fileOf(path) {
      files ??= start();
      const found = await files;
      return found.get(path) ?? (path.startsWith('/assets/') ? undefined : found.get('/index.html'));
    },
  };
}

const load = async (): Promise<ReadonlyMap<string, PageFile>> =>
  loadPage(existsSync(packaged) ? packaged : await bundledPage(dirname(dirname(web))));
