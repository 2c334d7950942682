import { isObject, isText } from "../shared/json.js";

const SECRET = /pass(word|wd|phrase|code)|secret|token|api[-_]?key|authorization|credential|private[-_]?key|cookie/i;

/** A copy of arguments for people and logs, in which strings under names of secrets are hidden. */
export function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, shown(name, member)] as const);
  return Object.fromEntries(members);
}

function shown(name: string, member: unknown): unknown {
  return isText(member) && SECRET.test(name) ? "[redacted]" : redacted(member);
}
