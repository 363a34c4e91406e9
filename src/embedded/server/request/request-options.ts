import { badRequest } from '#kube/status.ts';

const empty = new URLSearchParams();

/** The parsed query of a request. */
export const parseQuery = (query: string): URLSearchParams =>
  query === '' ? empty : new URLSearchParams(query);

/** `true`, `1` or an empty value mean yes, as in Kubernetes' query conversion. */
export function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)?.toLowerCase();
  return value !== undefined && value !== 'false' && value !== '0';
}

/** An int64 query parameter; undefined when absent or empty. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === '') return undefined;
  if (!/^[+-]?\d+$/.test(value)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
  }
  const number = BigInt(value.replace(/^\+/, ''));
  if (number !== BigInt.asIntN(64, number)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: value out of range`);
  }
  return Number(number);
}

/** A revision as clients give it; undefined when unset. */
export function revisionOption(query: URLSearchParams): string | undefined {
  const value = query.get('resourceVersion');
  return value === null || value === '' ? undefined : value;
}

/** `timeout` must at least be a duration as Go writes it. */
export function checkTimeout(query: URLSearchParams): void {
  const value = query.get('timeout');
  if (value === null || value === '' || /^[+-]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$|^0$/.test(value)) return;
  throw badRequest(
    `invalid timeout specified in the request URL - time: invalid duration ${JSON.stringify(value)}`,
  );
}
