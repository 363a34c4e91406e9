import { posix } from 'node:path';

/** The path in `from '…'`, `import '…'` and `import('…')` of a TypeScript file of ours. */
const specifier = /(?<=\b(?:from\s*|import\s*\(?\s*)['"])(?:#|\.{1,2}\/)[^'"]+\.ts(?=['"])/g;

/** The text of a file below src with its imports as they are once everything is JavaScript: relative, `.js`. */
export const withInstalledImports = (path: string, text: string): string =>
  text.replaceAll(specifier, (found) => {
    const target = found.startsWith('#') ? relativeTo(path, found.slice(1)) : found;
    return target.replace(/\.ts$/, '.js');
  });

function relativeTo(path: string, target: string): string {
  const found = posix.relative(posix.dirname(path), target);
  return found.startsWith('.') ? found : `./${found}`;
}
