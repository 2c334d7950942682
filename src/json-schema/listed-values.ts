import type { Json } from "../shared/json.js";
import { Values } from "./json-equal.js";

/** The test of `const` and `enum`; `undefined` if a schema has neither. */
export function valueTest(schema: Json): ((value: unknown) => boolean) | undefined {
  const lists: (readonly unknown[])[] = [];
  if ("const" in schema) lists.push([schema["const"]]);
  if (Array.isArray(schema["enum"])) lists.push(schema["enum"]);
  const [first, second] = lists.map((list) => new Values(list));
  if (!first) return undefined;
  return (value) => first.has(value) && (second === undefined || second.has(value));
}
