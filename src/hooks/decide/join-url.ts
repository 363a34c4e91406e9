import { shorten } from '#base/text.ts';

/** A URL in pieces: text of its author, and values of arguments. */
export type UrlPart =
  | { readonly type: 'text'; readonly text: string }
  /** `isEncoded`: it is percent-encoded already. */
  | { readonly type: 'value'; readonly name: string; readonly value: string; readonly isEncoded: boolean };

type Joined =
  | { readonly type: 'filled'; readonly value: string }
  | { readonly type: 'problem'; readonly message: string };

/** The part of a URL that a position belongs to. */
type Region = 'scheme' | 'authority' | 'path' | 'query' | 'fragment';

/** A URL up to a position. */
type Built = {
  readonly url: string;
  readonly region: Region;
  /** The position where host and port begin. */
  readonly authorityFrom: number;
  readonly pathFrom: number;
  /** Regions that contain a value. */
  readonly touched: readonly Region[];
};

/** A longer URL, or why a value cannot be put in this place. */
type Appended = Built | string;

/**
 * Joins a URL so that no value changes the meaning of the parts around it. In the path, the query and the fragment
 * values are percent-encoded; a value in the path keeps its slashes. In the place of host and port only a host, a
 * port or both are accepted. A value at the very beginning is a URL itself.
 */
export function joinUrl(parts: readonly UrlPart[]): Joined {
  let built: Built = { url: '', region: 'scheme', authorityFrom: 0, pathFrom: 0, touched: [] };
  for (const [i, part] of parts.entries()) {
    const next = part.type === 'text' ? appendText(built, part.text) : appendValue(built, part, parts[i + 1]);
    if (typeof next === 'string')
      return { type: 'problem', message: `{{ args.${part.type === 'value' ? part.name : ''} }} ${next}` };
    built = next;
  }
  const why = problemOfWhole(built);
  return why === undefined
    ? { type: 'filled', value: built.url }
    : { type: 'problem', message: `filled in, the URL ${why}` };
}

/** Appends text of the author, which can end regions. */
function appendText(built: Built, text: string): Built {
  let { region, authorityFrom, pathFrom } = built;
  let from = 0;
  for (;;) {
    const end = regionEnds[region];
    if (end === undefined) break;
    end.lastIndex = from;
    const match = end.exec(text);
    if (match === null) break;
    const next = match.index + match[0].length;
    if (region === 'scheme') authorityFrom = built.url.length + next;
    if (region === 'authority') pathFrom = built.url.length + match.index;
    region = region === 'scheme' ? 'authority' : (regionAfter[match[0]] ?? 'path');
    from = next;
  }
  return { ...built, url: built.url + text, region, authorityFrom, pathFrom };
}

const regionEnds: Readonly<Partial<Record<Region, RegExp>>> = {
  scheme: /:\/\//g,
  authority: /[/\\?#]/g,
  path: /[?#]/g,
  query: /#/g,
};
const regionAfter: Readonly<Record<string, Region>> = { '?': 'query', '#': 'fragment' };

function appendValue(
  built: Built,
  { value, isEncoded }: UrlPart & { readonly type: 'value' },
  next: UrlPart | undefined,
): Appended {
  const { region, url } = built;
  if (region === 'scheme') return startWith(built, value, next);
  const touched = [...built.touched, region];
  if (region !== 'authority') {
    const encoded = isEncoded ? value : value.toWellFormed().replaceAll(unsafe[region], encodeURIComponent);
    return { ...built, url: url + encoded, touched };
  }
  if (isV6(value)) return { ...built, url: url + (url.endsWith('[') ? value : `[${value}]`), touched };
  if (/^[\w.-]+(?::\d{1,5})?$/.test(value) || /^\[[\da-f:.]+\](?::\d{1,5})?$/i.test(value))
    return { ...built, url: url + value, touched };
  return `stands where host and port are, and ${quote(value)} is neither`;
}

/** Whole characters, so that a surrogate pair is encoded as one. */
const unsafe = {
  path: /[^\w\-.~!$&'()*+,;=:@/]/gu,
  query: /[^\w\-.~!$'()*,:@/?]/gu,
  fragment: /[^\w\-.~!$&'()*+,;=:@/?]/gu,
} as const;

function startWith(built: Built, value: string, next: UrlPart | undefined): Appended {
  if (built.url !== '') return 'stands inside the scheme: write http:// or https:// before it';
  if (next?.type === 'text' && next.text.startsWith('://'))
    return /^https?$/.test(value)
      ? { ...built, url: value }
      : `stands for the scheme, and ${quote(value)} is not http or https`;
  if (!/^https?:\/\/[^\s\\/?#]+[^\s\\]*$/i.test(value))
    return `begins the URL, and ${quote(value)} does not begin like one: http://host:port`;
  return appendText(built, value);
}

function problemOfWhole({ url, touched, authorityFrom, pathFrom }: Built): string | undefined {
  if (touched.includes('authority')) {
    const authority = url.slice(authorityFrom, pathFrom === 0 ? url.length : pathFrom);
    if (!isAuthority(authority)) return `has ${quote(authority)} where host and port are`;
  }
  if (!touched.includes('path')) return undefined;
  const path = url.slice(pathFrom).split(/[?#]/, 1)[0] ?? '';
  const climbs = path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  return climbs ? `has ${quote(path)} as its path, which . and .. would change` : undefined;
}

const authorityShape = /^(?:[^@]*@)?(?:([\w.-]+)|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i;

function isAuthority(text: string): boolean {
  const match = authorityShape.exec(text);
  if (match === null) return false;
  const [, host = 'v6', port = '0'] = match;
  return Number(port) <= 65_535 && !/^[.-]|\.\./.test(host);
}

const isV6 = (value: string): boolean => /^[\da-f:.]+$/i.test(value) && value.split(':').length > 2;

const quote = (text: string): string => JSON.stringify(shorten(text, 80));
