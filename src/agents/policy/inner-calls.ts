import { describeMismatches } from "../../errors/local.js";
import { isString } from "../../shared/json.js";
import type { AgentTool, Execution } from "../agent-tool.js";
import { mismatchesOf } from "../call/arguments.js";
import type { GuardContext } from "../policy-base.js";
import { type CallLimits, limitsOf } from "../run-options.js";
import { readInnerCall } from "../tools/meta-tools.js";
import { readNamedTools } from "../tools/read-tools.js";
import { agentTool } from "../tools/tool-service.js";

/** Looks up tools by their slugs. A slug that no tool has is missing in the map. */
export type FindTools = (slugs: readonly string[], limits: CallLimits) => Promise<ReadonlyMap<string, AgentTool>>;

/**
 * The calls that a call of the meta tool makes which runs several others.
 *
 * @returns A string if one of them can't be evaluated: why.
 */
export async function innerCalls(
  { callId, arguments: args, userId }: Execution,
  {
    findTools,
    validateArguments,
    catalog,
  }: Pick<GuardContext, "validateArguments" | "catalog"> & { readonly findTools: FindTools },
  runLimits: CallLimits,
): Promise<readonly Execution[] | string> {
  const given = args["tools"];
  if (!Array.isArray(given) || given.length === 0) return "It names no tools to run.";
  const calls: Omit<Execution, "tool">[] = [];
  const slugs: string[] = [];
  for (const [index, call] of given.entries()) {
    const read = readInnerCall(call);
    if (isString(read)) return `tools[${index}] ${read}.`;
    const { slug, args: inner, account } = read;
    slugs.push(slug);
    calls.push({ callId, arguments: inner, requested: inner, userId, accountId: account, inner: [] });
  }
  const limits = limitsOf(runLimits);
  const alias = await firstAlias(calls, catalog, limits);
  if (alias !== undefined) {
    const account = JSON.stringify(alias.slice(0, 100));
    return catalog?.connectedAccounts
      ? `${account} isn't the id of an account, such as ca_…: an alias could change.`
      : `The account ${account} can't be looked up. The program has to pass catalog with connectedAccounts.`;
  }
  const known = await findTools([...new Set(slugs)], limits);
  const found = slugs.map((slug) => known.get(slug));
  const unknown = slugs.find((_, index) => found[index]?.kind !== "service");
  if (unknown !== undefined)
    return `${JSON.stringify(unknown.slice(0, 100))} isn't a known tool, so it can't be allowed.`;
  // Each was just found.
  const executions = calls.map((call, index): Execution => ({ ...call, tool: found[index] as AgentTool }));
  for (const [index, inner] of executions.entries()) {
    // As for a direct call: a condition on a number would not match the same number as a string.
    const mismatches = await mismatchesOf(inner.tool, inner.arguments, validateArguments);
    if (mismatches.length === 0) continue;
    return `The arguments of tools[${index}] don't match its schema. ${describeMismatches(mismatches)}.`;
  }
  return executions;
}

/**
 * The first account of calls that isn't known by its id. An alias can be moved to another account between the decision
 * and the call, and may look like an id. Assumption A18.
 */
async function firstAlias(
  calls: readonly Pick<Execution, "accountId">[],
  catalog: GuardContext["catalog"],
  limits: CallLimits,
): Promise<string | undefined> {
  const named = [...new Set(calls.flatMap(({ accountId }) => accountId ?? []))];
  const ids = named.filter((account) => account.startsWith("ca_"));
  const found = new Set<string>();
  if (ids.length > 0 && catalog?.connectedAccounts) {
    const query = { connected_account_ids: ids, account_type: "ALL" } as const;
    for await (const { id } of catalog.connectedAccounts.list(query, limits)) found.add(id);
  }
  return named.find((account) => !found.has(account));
}

/** Looks up tools: those of the toolset, then those of the catalog, each once. */
export function finder({ tools, bound, catalog }: Pick<GuardContext, "tools" | "bound" | "catalog">): FindTools {
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
