import { isObject, isString } from "../shared/json.js";

const SECRET =
  /pass(word|wd|phrase|code)|pwd|secret|token|api[-_]?key|authorization|credential|private[-_]?key|cookie/i;

/**
 * A copy of arguments for people and logs, in which strings under names of secrets are hidden, also within lists and
 * objects.
 */
export function redacted(value: unknown, isSecret = false): unknown {
  if (isString(value)) return isSecret ? "[redacted]" : value;
  if (Array.isArray(value)) return value.map((item) => redacted(item, isSecret));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    return [name, redacted(member, isSecret || SECRET.test(name))] as const;
  });
  return Object.fromEntries(members);
}
