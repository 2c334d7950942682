/** Names in responses are unbounded, so memory for them must not be. */
const MOST_FACTS = 1_000;

/** Creates a function that returns true the first time it gets a fact. After 1,000 facts it always returns false. */
export function firstTime(): (fact: string) => boolean {
  const facts = new Set<string>();
  return (fact) => {
    if (facts.size >= MOST_FACTS || facts.has(fact)) return false;
    facts.add(fact);
    return true;
  };
}

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
