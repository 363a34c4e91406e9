const decimal = /^[1-9]\d*$/;

export type ShownGiven = {
  /** The position of the cache when the request was sent: it has everything up to this resourceVersion. */
  readonly before: string;
  /** The resourceVersion that the server gave to what was written. */
  readonly written: string;
  /** The position of the cache now. */
  readonly position: string;
};

/**
 * Whether a cache has received everything up to a write: an object that it does not have then is gone again. Unknown,
 * so false, where versions are no plain numbers, and where the write is older than what was known before it: then the
 * store of the server was restored to an earlier state.
 */
export const hasShown = ({ before, written, position }: ShownGiven): boolean =>
  isOlder(before, written) && (position === written || isOlder(written, position));

/** Whether a resourceVersion is older than another. Those that are no plain numbers cannot be compared. */
export function isOlder(version: string, than: string): boolean {
  if (!decimal.test(version) || !decimal.test(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}
