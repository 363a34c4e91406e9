/**
 * A function that computes the value of each key once. When it holds `most` values it forgets all of them: cheaper
 * than knowing which was used last. A key without a value (undefined) is computed again.
 */
export function memoize<Value>(most: number, compute: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    if (value === undefined) return value;
    if (known.size >= most) known.clear();
    known.set(key, value);
    return value;
  };
}

/** A function that computes the value of each object once, for as long as the object lives. Objects never change. */
export function memoizeByObject<Key extends object, Value>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    if (value !== undefined) known.set(key, value);
    return value;
  };
}
