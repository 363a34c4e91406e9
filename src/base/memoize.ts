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
