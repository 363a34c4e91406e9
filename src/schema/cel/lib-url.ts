import type { OverloadRow } from './overload.ts';
import { parseUrl } from './url.ts';
import { dictOf, failed, isError, listOf, type UrlValue, type CelValue } from './value.ts';

function url(text: string): CelValue {
  const parsed = parseUrl(text);
  return parsed.kind === 'error'
    ? failed(`URL parse error during conversion from string: ${parsed.message}`)
    : parsed;
}

export const urls: readonly OverloadRow[] = [
  ['url(string): URL', url],
  ['isURL(string): bool', (text: string) => !isError(parseUrl(text))],
  ['URL.getScheme(): string', ({ scheme }: UrlValue) => scheme],
  ['URL.getHost(): string', ({ host }: UrlValue) => host],
  ['URL.getHostname(): string', ({ hostname }: UrlValue) => hostname],
  ['URL.getPort(): string', ({ port }: UrlValue) => port],
  ['URL.getEscapedPath(): string', ({ escapedPath }: UrlValue) => escapedPath],
  [
    'URL.getQuery(): map<string, list<string>>',
    ({ query }: UrlValue) => dictOf([...query].map(([key, values]) => [key, listOf(values)] as const)),
  ],
];
