/** The parts of a URI (RFC 3986, appendix B); undefined when missing. */
export type Uri = {
  readonly scheme: string | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly path: string | undefined;
  readonly query: string | undefined;
};

const whole = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/;
const authority = /^(?:[^@]*@)?(\[[^\]]*\]|[^:[\]]*)(?::(\d*))?$/;
const illegal = /[\s\p{Cc}"<>\\^`{|}]/u;

/** Also parses what `URL` does not: `//:8090`, `https://`, `/v1?a=b`. Without user information and fragment. */
export function readUri(text: string): Uri | undefined {
  const match = illegal.test(text) ? null : whole.exec(text);
  if (match === null) return undefined;
  const [, scheme, where, path, query] = match;
  const place = where === undefined ? undefined : authority.exec(where);
  if (place === null) return undefined;
  const port = place?.[2];
  if (port !== undefined && (Number(port) > 65_535 || port === '0')) return undefined;
  return {
    scheme: scheme?.toLowerCase(),
    host: filled(place?.[1]),
    port: filled(port),
    path: filled(path),
    query,
  };
}

const filled = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** A URI with its user information masked. */
export const shownUri = (text: string): string => text.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1***@');

/** Why the URI of an address is invalid. Without a ref it must be complete. */
export function uriProblem(text: string | undefined, hasRef: boolean): string | undefined {
  if (text === undefined) return undefined;
  const uri = readUri(text);
  if (uri === undefined) return 'is not a URI';
  if (/^[^/?#]*\/\/[^/?#]*@/.test(text)) return 'must not contain a user or a password';
  if (uri.scheme !== undefined && !/^https?$/.test(uri.scheme)) return 'must be http or https';
  if (hasRef || (uri.scheme !== undefined && uri.host !== undefined)) return undefined;
  return 'must be complete, such as http://hooks.example.com/v1, unless there is a ref';
}
