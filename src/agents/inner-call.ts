import { isObject, isString, type Json } from "../shared/json.js";

/** A call that a call of `SVC_MULTI_EXECUTE_TOOL` makes. */
interface InnerCall {
  readonly slug: string;
  readonly args: Json;
  readonly account: string | undefined;
}

/** A field that is unknown here could change what the service runs. */
const FIELDS = ["tool_slug", "arguments", "account"];

/** Reads a call in the arguments of `SVC_MULTI_EXECUTE_TOOL`. Returns the reason if that isn't possible. */
export function readInnerCall(call: unknown): InnerCall | string {
  const { tool_slug: slug, arguments: args = {}, account }: Json = Object(call);
  const stranger = Object.keys(Object(call)).find((name) => !FIELDS.includes(name));
  if (stranger !== undefined) return `has the unknown field ${JSON.stringify(stranger)}`;
  if (!isString(slug)) return "has no tool_slug";
  if (!isObject(args)) return "has arguments that aren't an object";
  if (account !== undefined && !isString(account)) return "has an account that isn't a string";
  // An empty string is how models leave an argument out.
  return { slug, args, account: account || undefined };
}
