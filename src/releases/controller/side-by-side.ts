/** Number of concurrent requests. */
const width = 16;

/** Handles so many items at a time; waits for all of these before it throws the first failure. */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  each: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const values: Result[] = [];
  for (let at = 0; at < items.length; at += width) {
    const results = await Promise.allSettled(items.slice(at, at + width).map(each));
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason;
      values.push(result.value);
    }
  }
  return values;
}
