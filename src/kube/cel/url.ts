import { bytesOfText, textOfBytes } from './text.ts';
import { failed, type CelError, type UrlValue } from './value.ts';

/** An absolute URI or an absolute path; everything else is an error in the words of Go's parser. */
export function parseUrl(text: string): UrlValue | CelError {
  const wrong = (why: string): CelError => failed(`parse ${JSON.stringify(text)}: ${why}`);
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(text)) return wrong('net/url: invalid control character in URL');
  if (text === '') return wrong('empty url');
  if (text.startsWith(':')) return wrong('missing protocol scheme');
  const [, scheme = '', rest = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(text) ?? [];
  if (scheme === '' && !rest.startsWith('/')) return wrong('invalid URI for request');
  const [, body = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s.exec(rest) ?? [];
  const authority = scheme !== '' || !rest.startsWith('///') ? /^\/\/([^/]*)/.exec(body)?.[1] : undefined;
  const host = hostOf(authority ?? '');
  if (typeof host === 'string') return wrong(host);
  const path = authority === undefined ? body : body.slice(authority.length + 2);
  if (badEscape(path) !== undefined) return wrong(`invalid URL escape ${JSON.stringify(badEscape(path))}`);
  const opaque = scheme !== '' && !body.startsWith('/');
  return {
    kind: 'url',
    text,
    scheme: scheme.toLowerCase(),
    ...host,
    escapedPath: opaque ? '' : escapePath(path),
    query: queryOf(query),
  };
}

const badEscape = (text: string): string | undefined => /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text)?.[0];

type Host = Pick<UrlValue, 'host' | 'hostname' | 'port'>;

/** The host of an authority, or why it is none. */
function hostOf(authority: string): Host | string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const [, bracketed, v6 = '', port] = /^(\[([^\]]*)\])?(.*)$/s.exec(host) ?? [];
  const tail = port ?? '';
  if (bracketed !== undefined) {
    if (tail !== '' && !/^:\d*$/.test(tail)) return `invalid port ${JSON.stringify(tail)} after host`;
    return { host, hostname: v6, port: tail.slice(1) };
  }
  if (host.startsWith('[')) return "missing ']' in host";
  const colon = host.indexOf(':');
  const behind = colon < 0 ? '' : host.slice(colon);
  if (behind !== '' && !/^:\d*$/.test(behind)) return `invalid port ${JSON.stringify(behind)} after host`;
  const strange = /[\s<>"^`{|}\\%]/.exec(host)?.[0];
  if (strange !== undefined) return `invalid character ${JSON.stringify(strange)} in host name`;
  return { host, hostname: colon < 0 ? host : host.slice(0, colon), port: behind.slice(1) };
}

const encoded = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/]|%[0-9a-fA-F]{2})*$/;

/** What is well escaped already stays; everything else is escaped anew. */
function escapePath(path: string): string {
  if (encoded.test(path)) return path;
  return Array.from(unescapedBytes(path), (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

function unescapedBytes(text: string): readonly number[] {
  const bytes: number[] = [];
  for (const [part] of text.matchAll(/%[0-9a-fA-F]{2}|[^%]+|%/gs)) {
    if (part.length === 3 && part.startsWith('%')) bytes.push(Number.parseInt(part.slice(1), 16));
    else for (const byte of bytesOfText(part)) bytes.push(byte);
  }
  return bytes;
}

/** Values by key, unescaped; parameters with bad escapes or semicolons are dropped, as Go does. */
function queryOf(query: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';') || badEscape(pair) !== undefined) continue;
    const cut = pair.indexOf('=');
    const key = unescapeQuery(cut < 0 ? pair : pair.slice(0, cut));
    const value = unescapeQuery(cut < 0 ? '' : pair.slice(cut + 1));
    const values = found.get(key);
    if (values === undefined) found.set(key, [value]);
    else values.push(value);
  }
  return found;
}

function unescapeQuery(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  return textOfBytes(Uint8Array.from(unescapedBytes(spaced))) ?? spaced;
}
