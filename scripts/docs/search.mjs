// The site's search, for the plugin that builds the index and for the page that searches in it: by name, by words and
// by message. TypeDoc's own search takes each word as a part of others and reads what is pasted as a query language.
import MiniSearch from "minisearch";

const OPTIONS = {
  fields: ["names", "heading", "page", "text"],
  storeFields: ["kind", "name", "before", "url", "knownAs", "message", "weight"],
  // `connectedAccounts` is found by its parts too.
  tokenize: (text) => wordsOf(text).flatMap((word) => [...new Set([word, ...word.split(/(?<=[a-z\d])(?=[A-Z])/)])]),
  // `retries` is found by `retry`, and `accounts` by `account`.
  processTerm: (word) =>
    word
      .toLowerCase()
      .replace(/(?<=..)ies$/, "y")
      .replace(/(?<=...)s$/, ""),
  searchOptions: { tokenize: wordsOf },
};

function wordsOf(text) {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The index of entries, as JSON. */
export function indexOf(entries) {
  const index = new MiniSearch(OPTIONS);
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return JSON.stringify(index);
}

/** The index that `indexOf` wrote. */
export function load(json) {
  return MiniSearch.loadJSON(json, OPTIONS);
}

/** The words of a message that are the same whenever it is printed: no numbers, slugs and variables. */
export function fixedWordsOf(text) {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const fixed = words.filter((word) => /^\p{L}+$/u.test(word));
  return ` ${fixed.join(" ").toLowerCase()} `;
}

/** The entries for what a reader typed or pasted, best first. */
export function find(index, typed) {
  const name = typed.trim().toLowerCase();
  const pasted = fixedWordsOf(typed);
  const weightOf = ({ knownAs, message, weight }) => {
    if (knownAs?.toLowerCase() === name) return 100;
    // Of several messages, the last is the cause of the others.
    if (message && pasted.includes(message)) return 100 * (1 + pasted.lastIndexOf(message));
    return weight;
  };
  return index.search(
    {
      combineWith: "OR",
      queries: [
        // Of a name, every word counts; of a question or a message, some do.
        { queries: [typed], combineWith: "AND", fields: ["names", "heading", "page"] },
        { queries: [typed], combineWith: "OR", fields: ["heading", "page", "text"] },
      ],
    },
    {
      boost: { names: 4, heading: 4, page: 2 },
      prefix: (word) => word.length > 2,
      fuzzy: (word, _position, words) => word.length > 4 && words.length < 6 && 0.2,
      boostDocument: (_id, _word, entry) => weightOf(entry),
    },
  );
}
