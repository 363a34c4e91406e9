import { globSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file of the page as it is sent. */
export type PageFile = {
  readonly type: string;
  readonly body: Uint8Array;
  /** For clients that accept gzip. */
  readonly gzip: Uint8Array;
  /** Its name changes with its content: a browser can keep it for ever. */
  readonly isHashed: boolean;
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** All files of a bundled page by their path in a URL. They are few and small. */
export function loadPage(folder: string): ReadonlyMap<string, PageFile> {
  const names = globSync('**/*.*', { cwd: folder }).map((name) => name.split(sep).join('/'));
  if (!names.includes('index.html'))
    throw new Error(`${folder} has no index.html: delete it and start again`);
  return new Map(
    names.map((name) => {
      const body = readFileSync(join(folder, name));
      const type = types[extname(name)] ?? 'application/octet-stream';
      return [
        `/${name}`,
        { type, body, gzip: gzipSync(body), isHashed: name.startsWith('assets/') },
      ] as const;
    }),
  );
}
