/** What the path of a request names. */
export type RequestPath = {
  /** `/api/v1` or `/apis/GROUP/VERSION`. */
  readonly base: string;
  readonly group: string;
  /** Undefined: the whole cluster, or an object outside of namespaces. */
  readonly namespace: string | undefined;
  readonly plural: string;
  /** Empty: the collection. */
  readonly name: string;
  readonly subresource: string;
};

const form =
  /^(\/api\/v1|\/apis\/([^/]+)\/[^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/(.+))?$/;

/** Undefined: discovery, `/version` and other paths without objects. A Namespace itself is outside of namespaces. */
export function readPath(path: string): RequestPath | undefined {
  const own = /^(\/api\/v1)\/namespaces(?:\/([^/]+)(?:\/(finalize|status))?)?$/.exec(path);
  if (own !== null)
    return {
      base: '/api/v1',
      group: '',
      namespace: undefined,
      plural: 'namespaces',
      name: own[2] ?? '',
      subresource: own[3] ?? '',
    };
  const found = form.exec(path);
  if (found === null) return undefined;
  const [, base = '', group = '', namespace, plural = '', name = '', subresource = ''] = found;
  return { base, group, namespace, plural, name, subresource };
}

export function printPath({ base, namespace, plural, name, subresource }: RequestPath): string {
  const inside = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const parts = [plural, name, subresource].filter((part) => part !== '');
  return `${base}${inside}/${parts.join('/')}`;
}
