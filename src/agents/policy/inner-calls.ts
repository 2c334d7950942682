import { describeMismatches } from "../../errors/local.js";
import { isObject, isString } from "../../shared/json.js";
import { mismatchesOf } from "../arguments.js";
import { agentTool } from "../origin.js";
import { readNamedTools } from "../sources.js";
import type { AgentTool, CallLimits, Execution } from "../tool.js";
import type { GuardContext } from "../toolset-options.js";

/** The fields of a call in its arguments. A call with another field could differ from the evaluated call. */
const FIELDS = ["tool_slug", "arguments", "account"];

/** Looks up tools by their slugs. A slug that no tool has is missing in the map. */
export type FindTools = (slugs: readonly string[], limits: CallLimits) => Promise<ReadonlyMap<string, AgentTool>>;

/**
 * The calls that a call of the meta tool makes which runs several others.
 *
 * @returns A string if one of them can't be evaluated: why.
 */
export async function innerCalls(
  { callId, arguments: args, userId }: Execution,
  { findTools, validateArguments }: { readonly findTools: FindTools } & Pick<GuardContext, "validateArguments">,
  { signal, deadlineMs, timeoutMs }: CallLimits,
): Promise<readonly Execution[] | string> {
  const given = args["tools"];
  if (!Array.isArray(given) || given.length === 0) return "It names no tools to run.";
  const calls: Omit<Execution, "tool">[] = [];
  const slugs: string[] = [];
  for (const [index, call] of given.entries()) {
    const { tool_slug: slug, arguments: inner = {}, account }: Record<string, unknown> = Object(call);
    const stranger = Object.keys(Object(call)).find((name) => !FIELDS.includes(name));
    if (stranger !== undefined) return `tools[${index}] has the unknown field ${JSON.stringify(stranger)}.`;
    if (!isString(slug)) return `tools[${index}] has no tool_slug.`;
    if (!isObject(inner)) return `The arguments of tools[${index}] must be an object.`;
    if (account !== undefined && !isString(account)) return `The account of tools[${index}] must be a string.`;
    // An alias can be moved to another account between the decision and the call. Spec: identifier formats.
    if (account && !account.startsWith("ca_")) {
      return `The account of tools[${index}] must be an id, such as ca_…: an alias could change.`;
    }
    slugs.push(slug);
    // An empty string is how models leave an argument out.
    calls.push({ callId, arguments: inner, requested: inner, userId, accountId: account || undefined, inner: [] });
  }
  const known = await findTools([...new Set(slugs)], { signal, deadlineMs, timeoutMs });
  const found = slugs.map((slug) => known.get(slug));
  const unknown = slugs.find((_, index) => found[index]?.kind !== "service");
  if (unknown !== undefined)
    return `${JSON.stringify(unknown.slice(0, 100))} isn't a known tool, so it can't be allowed.`;
  // Each was just found.
  const executions = calls.map((call, index): Execution => ({ ...call, tool: found[index] as AgentTool }));
  for (const [index, inner] of executions.entries()) {
    // As for a direct call: a condition on a number would not match the same number as a string.
    const mismatches = mismatchesOf(inner.tool, inner.arguments, validateArguments);
    if (mismatches.length === 0) continue;
    return `The arguments of tools[${index}] don't match its schema. ${describeMismatches(mismatches)}.`;
  }
  return executions;
}

/** Looks up tools: those of the toolset, then those of the catalog, each once. */
export function finder({ tools, bound, catalog }: GuardContext): FindTools {
  const ofService = tools.filter(({ kind }) => kind !== "local");
  const known = new Map(ofService.map((tool) => [tool.name, bound?.full(tool) ?? tool]));
  return async (slugs, limits) => {
    const missing = slugs.filter((slug) => !known.has(slug));
    if (catalog && missing.length > 0) {
      for (const record of await readNamedTools(catalog, missing, limits)) {
        known.set(record.slug, agentTool(record, true));
      }
    }
    return known;
  };
}
