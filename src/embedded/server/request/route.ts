/** The target of a path. Names are decoded. */
export type Route =
  | { readonly type: 'health'; readonly check: string; readonly part: string }
  | { readonly type: 'version' }
  | { readonly type: 'discovery'; readonly path: readonly string[] }
  | { readonly type: 'openapi'; readonly path: readonly string[] }
  | { readonly type: 'resource'; readonly target: ResourceTarget }
  | { readonly type: 'unknown' };

export type ResourceTarget = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Undefined: all namespaces, or a cluster-scoped resource. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** What follows a subresource such as `proxy`. */
  readonly rest: readonly string[];
  /** The deprecated `/watch/` form. */
  readonly watch: boolean;
};

const health = new Set(['healthz', 'livez', 'readyz']);

export function routeOf(path: string): Route {
  const parts = decode(path);
  if (parts === undefined) return { type: 'unknown' };
  const [first = '', ...rest] = parts;
  if (health.has(first)) return { type: 'health', check: first, part: rest.join('/') };
  if (first === 'version' && rest.length === 0) return { type: 'version' };
  if (first === 'openapi') return { type: 'openapi', path: rest };
  if (first === 'api') return resourceRoute('', rest, parts);
  if (first === 'apis')
    return rest.length === 0 ? discovery(parts) : resourceRoute(rest[0] ?? '', rest.slice(1), parts);
  return { type: 'unknown' };
}

const discovery = (path: readonly string[]): Route => ({ type: 'discovery', path });

function decode(path: string): string[] | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  if (!path.includes('%')) return parts;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** `rest` begins with the version. */
function resourceRoute(group: string, rest: readonly string[], whole: readonly string[]): Route {
  const [version, ...tail] = rest;
  if (version === undefined || tail.length === 0) return discovery(whole);
  const watch = tail[0] === 'watch' && tail.length > 1;
  return { type: 'resource', target: { group, version, watch, ...place(watch ? tail.slice(1) : tail) } };
}

type Place = Omit<ResourceTarget, 'group' | 'version' | 'watch'>;

/** Paths of the namespace resource itself that look like a namespaced resource. */
const namespaceSubresources = new Set(['status', 'finalize']);

function place(parts: readonly string[]): Place {
  const [first = '', second, third, fourth, fifth, ...more] = parts;
  if (
    first === 'namespaces' &&
    third !== undefined &&
    !(namespaceSubresources.has(third) && fourth === undefined)
  ) {
    return { namespace: second ?? '', plural: third, name: fourth, subresource: fifth, rest: more };
  }
  const rest = [fourth, fifth, ...more].filter((part) => part !== undefined);
  return { namespace: undefined, plural: first, name: second, subresource: third, rest };
}
