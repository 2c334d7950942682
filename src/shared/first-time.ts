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
