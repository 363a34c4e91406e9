/** A URL in pieces: what its author wrote, and values that came from elsewhere. */
export type UrlPart =
  | { readonly type: 'text'; readonly text: string }
  /** `isEncoded`: it is percent-encoded already. */
  | { readonly type: 'value'; readonly name: string; readonly value: string; readonly isEncoded: boolean };

type Joined =
  | { readonly type: 'filled'; readonly value: string }
  | { readonly type: 'problem'; readonly message: string };

/** Where in a URL a position lies. */
type Region = 'scheme' | 'authority' | 'path' | 'query' | 'fragment';

type State = {
  url: string;
  region: Region;
  /** Where host and port begin. */
  authorityFrom: number;
  pathFrom: number;
  /** Regions that a value was put into. */
  readonly touched: Set<Region>;
};

/**
 * Puts a URL together so that no value changes what the parts around it mean: in the path and after it values are
 * percent-encoded, as host and port only what can be one is taken. A value in the path may have several segments:
 * its slashes stay. A value at the very beginning is a URL itself.
 */
export function joinUrl(parts: readonly UrlPart[]): Joined {
  const state: State = { url: '', region: 'scheme', authorityFrom: 0, pathFrom: 0, touched: new Set() };
  for (const [i, part] of parts.entries()) {
    if (part.type === 'text') {
      write(state, part.text);
      continue;
    }
    const why = put(state, part, parts[i + 1]);
    if (why !== undefined) return { type: 'problem', message: `{{ args.${part.name} }} ${why}` };
  }
  const why = problemOfWhole(state);
  return why === undefined
    ? { type: 'filled', value: state.url }
    : { type: 'problem', message: `filled in, the URL ${why}` };
}

/** Appends what its author wrote and follows it through the regions. */
function write(state: State, text: string): void {
  let from = 0;
  for (;;) {
    const end = regionEnds[state.region];
    if (end === undefined) break;
    end.lastIndex = from;
    const match = end.exec(text);
    if (match === null) break;
    const next = match.index + match[0].length;
    if (state.region === 'scheme') state.authorityFrom = state.url.length + next;
    if (state.region === 'authority') state.pathFrom = state.url.length + match.index;
    state.region = state.region === 'scheme' ? 'authority' : (regionAfter[match[0]] ?? 'path');
    from = next;
  }
  state.url += text;
}

const regionEnds: Readonly<Partial<Record<Region, RegExp>>> = {
  scheme: /:\/\//g,
  authority: /[/\\?#]/g,
  path: /[?#]/g,
  query: /#/g,
};
const regionAfter: Readonly<Record<string, Region>> = { '?': 'query', '#': 'fragment' };

/** Appends a value; the answer says why it cannot stand here. */
function put(
  state: State,
  { value, isEncoded }: UrlPart & { readonly type: 'value' },
  next: UrlPart | undefined,
): string | undefined {
  const { region } = state;
  if (region === 'scheme') return putAtStart(state, value, next);
  state.touched.add(region);
  if (region !== 'authority') {
    state.url += isEncoded ? value : value.toWellFormed().replaceAll(unsafe[region], encodeURIComponent);
    return undefined;
  }
  if (isV6(value)) state.url += state.url.endsWith('[') ? value : `[${value}]`;
  else if (/^[\w.-]+(?::\d{1,5})?$/.test(value) || /^\[[\da-f:.]+\](?::\d{1,5})?$/i.test(value))
    state.url += value;
  else return `stands where host and port are, and ${quote(value)} is neither`;
  return undefined;
}

/** Single characters, so that a pair of surrogates is encoded as one. */
const unsafe = {
  path: /[^\w\-.~!$&'()*+,;=:@/]/gu,
  query: /[^\w\-.~!$'()*,:@/?]/gu,
  fragment: /[^\w\-.~!$&'()*+,;=:@/?]/gu,
} as const;

function putAtStart(state: State, value: string, next: UrlPart | undefined): string | undefined {
  if (state.url !== '') return 'stands inside the scheme: write http:// or https:// before it';
  if (next?.type === 'text' && next.text.startsWith('://')) {
    state.url = value;
    return /^https?$/.test(value)
      ? undefined
      : `stands for the scheme, and ${quote(value)} is not http or https`;
  }
  if (!/^https?:\/\/[^\s\\/?#]+[^\s\\]*$/i.test(value))
    return `begins the URL, and ${quote(value)} does not begin like one: http://host:port`;
  write(state, value);
  return undefined;
}

function problemOfWhole(state: State): string | undefined {
  const { url, touched, pathFrom } = state;
  if (touched.has('authority')) {
    const authority = url.slice(state.authorityFrom, pathFrom === 0 ? url.length : pathFrom);
    if (!isAuthority(authority)) return `has ${quote(authority)} where host and port are`;
  }
  if (!touched.has('path')) return undefined;
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

const quote = (text: string): string => JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 79)}…`);
