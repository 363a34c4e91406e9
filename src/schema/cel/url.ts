import { bytesOfText, textOfBytes } from './text.ts';
import { failed, type CelError, type UrlValue } from './value.ts';

/** An absolute URI or an absolute path; everything else is an error with the text of Go's parser. */
export function parseUrl(text: string): UrlValue | CelError {
  const wrong = (why: string): CelError => failed(`parse ${JSON.stringify(text)}: ${why}`);
  const [scheme, rest] = splitScheme(text);
  const early = beforeParsing(text, scheme);
  if (early !== undefined) return wrong(early);
  const [body, query] = splitQuery(rest);
  const authority = scheme !== '' || !rest.startsWith('///') ? /^\/\/([^/]*)/.exec(body)?.[1] : undefined;
  const host = hostOf(authority ?? '');
  if (typeof host === 'string') return wrong(host);
  const path = authority === undefined ? body : body.slice(authority.length + 2);
  const escape = badEscape(path);
  if (escape !== undefined) return wrong(`invalid URL escape ${JSON.stringify(escape)}`);
  const opaque = scheme !== '' && !body.startsWith('/');
  const escapedPath = opaque ? '' : escapePath(path);
  return { kind: 'url', text, scheme: scheme.toLowerCase(), ...host, escapedPath, query: queryOf(query) };
}

function beforeParsing(text: string, scheme: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '') return 'empty url';
  if (text.startsWith(':')) return 'missing protocol scheme';
  return scheme === '' && !text.startsWith('/') ? 'invalid URI for request' : undefined;
}

function splitScheme(text: string): readonly [scheme: string, rest: string] {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
  return [scheme, scheme === '' ? text : text.slice(scheme.length + 1)];
}

function splitQuery(text: string): readonly [body: string, query: string] {
  const whole = text.split('#', 1)[0] ?? '';
  const mark = whole.indexOf('?');
  return mark < 0 ? [whole, ''] : [whole.slice(0, mark), whole.slice(mark + 1)];
}

const badEscape = (text: string): string | undefined => /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text)?.[0];

type Host = Pick<UrlValue, 'host' | 'hostname' | 'port'>;

/** The host of an authority, or why it is none. */
function hostOf(authority: string): Host | string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const closing = host.startsWith('[') ? host.indexOf(']') : 0;
  if (closing < 0) return "missing ']' in host";
  const colon = host.indexOf(':', closing);
  const name = colon < 0 ? host : host.slice(0, colon);
  const port = closing > 0 ? host.slice(closing + 1) : host.slice(name.length);
  if (!/^(?::\d*)?$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  const strange = /[\s<>"^`{|}\\%]/.exec(closing > 0 ? '' : host)?.[0];
  if (strange !== undefined) return `invalid character ${JSON.stringify(strange)} in host name`;
  return { host, hostname: closing > 0 ? host.slice(1, closing) : name, port: port.slice(1) };
}

const encoded = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/]|%[0-9a-fA-F]{2})*$/;

/** What is well escaped already stays; everything else is escaped anew. */
function escapePath(path: string): string {
  if (encoded.test(path)) return path;
  return Array.from(unescapedBytes(path), (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(char)
      ? char
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
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
