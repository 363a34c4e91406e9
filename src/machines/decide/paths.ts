/** POSIX paths as strings, without access to a file system. */

export const isAbsolute = (path: string): boolean => path.startsWith('/');

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export function folderOf(path: string): string {
  const cut = path.lastIndexOf('/');
  if (cut < 0) return '.';
  return cut === 0 ? '/' : path.slice(0, cut);
}

/** Without `.`, `..` and doubled slashes. */
export function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '..' || !isAbsolute(path)) parts.push(part);
  }
  const joined = parts.join('/');
  return isAbsolute(path) ? `/${joined}` : joined === '' ? '.' : joined;
}

/** A path of a document, counted from the folder of that document. */
export const resolvePath = (folder: string, path: string): string =>
  cleanPath(isAbsolute(path) ? path : `${folder}/${path}`);
