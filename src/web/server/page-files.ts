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
 * Starts to bundle the page where that is needed; it is read with the first call. A failure is in `fileOf`, so that the
 * server is ready meanwhile; the next call after a failure tries again.
 */
export function openPageFiles(): PageFiles {
  const startBundle = (): Promise<string> => {
    const made = pageFolder();
    made.catch(() => {
      folder = undefined;
    });
    return made;
  };
  let folder: Promise<string> | undefined = startBundle();
  let files: ReadonlyMap<string, PageFile> | undefined;
  return {
    async fileOf(path) {
      folder ??= startBundle();
      files ??= loadPage(await folder);
      return files.get(path) ?? (path.startsWith('/assets/') ? undefined : files.get('/index.html'));
    },
  };
}

const pageFolder = async (): Promise<string> =>
  existsSync(packaged) ? packaged : bundledPage(dirname(dirname(web)));
