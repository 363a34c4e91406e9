/** How many connections a listener keeps open at once. */
export type ConnectionLimits = {
  /** Connections without an authenticated user. */
  readonly unauthenticated: number;
  /** The same, from one address. */
  readonly unauthenticatedPerAddress: number;
  /** Connections of authenticated users. */
  readonly authenticated: number;
  /** The same, of one user. */
  readonly perUser: number;
};

/** Files, the journal, hook services, machines: what else needs descriptors. */
const kept = 128;
/** More would only cost memory. */
const most = 65_536;
const mostUnauthenticated = 1024;

/** Divides the file descriptors of a process: an eighth, at least 128, stays for everything but connections. */
export function connectionLimitsOf(openFiles: number): ConnectionLimits {
  const files = Math.min(openFiles, 2 * most);
  const reserve = Math.min(Math.max(kept, files / 8), files / 2);
  const all = Math.floor(Math.min(files - reserve, most));
  const unauthenticated = Math.max(2, Math.min(mostUnauthenticated, Math.floor(all / 4)));
  const authenticated = Math.max(2, all - unauthenticated);
  return {
    unauthenticated,
    unauthenticatedPerAddress: Math.ceil((unauthenticated * 3) / 4),
    authenticated,
    perUser: Math.ceil((authenticated * 3) / 4),
  };
}
