import { isObject, isString, type Json } from "../../shared/json.js";
import { META_TOOLS, type MetaTool } from "../../shared/tools.js";
import type { AgentTool } from "../agent-tool.js";

/** The meta tool that runs several tools with one call. */
export const MULTI_EXECUTE = "SVC_MULTI_EXECUTE_TOOL" satisfies MetaTool;

/** The meta tool that connects accounts. */
export const MANAGE_CONNECTIONS = "SVC_MANAGE_CONNECTIONS" satisfies MetaTool;

/** Meta tools whose calls show what they do. Others run code or commands that can call any tool with any arguments. */
export const READABLE_META_TOOLS: readonly string[] = [
  "SVC_SEARCH_TOOLS",
  "SVC_GET_TOOL_SCHEMAS",
  MULTI_EXECUTE,
  MANAGE_CONNECTIONS,
  "SVC_WAIT_FOR_CONNECTIONS",
] satisfies MetaTool[];

/** Meta tools that run code. */
export const CODE_META_TOOLS: readonly string[] = /* @__PURE__ */ META_TOOLS.filter(
  (name) => !READABLE_META_TOOLS.includes(name),
);

/** Whether a call of the tool runs several others. */
export function runsOthers({ kind, name }: AgentTool): boolean {
  return kind === "meta" && name === MULTI_EXECUTE;
}

/** A tool as rules see it: the tags of one that runs others say what it could do, and its calls' tags what it does. */
export function withoutOwnTags(tool: AgentTool): AgentTool {
  return runsOthers(tool) ? { ...tool, tags: [] } : tool;
}

/** A field that is unknown here could change what the service runs. */
const FIELDS = ["tool_slug", "arguments", "account"];

/** Reads a call in the arguments of `SVC_MULTI_EXECUTE_TOOL`. Returns the reason if that isn't possible. */
export function readInnerCall(
  call: unknown,
): string | { readonly slug: string; readonly args: Json; readonly account: string | undefined } {
  const { tool_slug: slug, arguments: args = {}, account }: Json = Object(call);
  const stranger = Object.keys(Object(call)).find((name) => !FIELDS.includes(name));
  if (stranger !== undefined) return `has the unknown field ${JSON.stringify(stranger)}`;
  if (!isString(slug)) return "has no tool_slug";
  if (!isObject(args)) return "has arguments that aren't an object";
  if (account !== undefined && !isString(account)) return "has an account that isn't a string";
  // An empty string is how models leave an argument out.
  return { slug, args, account: account || undefined };
}
