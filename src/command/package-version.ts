import { readFileSync } from 'node:fs';

/** The version in package.json, which lies two folders above this one. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
