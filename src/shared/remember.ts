/** Sets an entry of a map, and forgets those that weren't set for the longest time. */
export function remember<Value>(entries: Map<string, Value>, key: string, value: Value, most: number): Value {
  // Deleted first, so that it is the newest again.
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= most) break;
    entries.delete(oldest);
  }
  return value;
}
