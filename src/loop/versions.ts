const decimal = /^[1-9]\d*$/;

/** Whether a resourceVersion is older than another. Those that are no plain numbers cannot be compared. */
export function isOlder(version: string, than: string): boolean {
  if (!decimal.test(version) || !decimal.test(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}
