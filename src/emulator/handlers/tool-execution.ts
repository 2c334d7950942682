import { fromJSONSchema } from "zod";
import { mismatchesOf } from "../../contract/check.js";
import type { ExecuteToolBody, ToolResult } from "../../resources/tools/schema.js";
import { type JsonObject, ProviderError, type ToolkitDefinition, type VersionedTool } from "../catalogue.js";
import type { HandlersOf, World } from "../context.js";
import { invalidRequest, Refusal } from "../refusal.js";
import type { StoredAccount } from "../state.js";
import { deriveArguments } from "../text-arguments.js";
import { defaultVersion, findTool } from "../tool-lookup.js";

/** Meta tools live in agent sessions only. Spec: What the service does. */
const META_TOOL = /^SVC_/;

export const execution: Pick<HandlersOf<"tools">, "tools.execute" | "tools.input" | "tools.proxy"> = {
  "tools.execute": async ({ params, body, apiVersion, ...world }) => {
    if (META_TOOL.test(params.tool_slug)) {
      throw new Refusal({
        status: 400,
        code: 4300,
        slug: "ToolRouterV2_BadRequest",
        message: `${params.tool_slug} can only be called inside a tool-router session`,
      });
    }
    if ((body.arguments === undefined) === (body.text === undefined)) {
      throw invalidRequest(["body: expected exactly one of arguments and text"]);
    }
    const versioned = findTool(world.catalogue, params.tool_slug, body.version ?? defaultVersion(apiVersion));
    const account = pickAccount(versioned.toolkit, body, world);
    const given = body.arguments ?? deriveArguments(versioned.facts.input, body.text ?? "").found;
    const log_id = world.ids.next("log_");
    const problem = argumentProblem(versioned, given);
    if (problem !== undefined) return { successful: false, data: {}, error: problem, log_id };
    return { ...(await runTool(versioned, given, body, account, world)), log_id };
  },

  "tools.input": ({ params, body, catalogue, apiVersion }) => {
    const { facts } = findTool(catalogue, params.tool_slug, body.version ?? defaultVersion(apiVersion));
    const { found, missing } = deriveArguments(facts.input, body.text);
    return missing.length > 0
      ? { arguments: found, error: `The text does not say: ${missing.join(", ")}` }
      : { arguments: found };
  },

  "tools.proxy": ({ body, ...world }) => {
    if (body.connected_account_id === undefined && body.custom_connection_data === undefined) {
      throw refuseProxy("MissingAuthContext", "Pass connected_account_id or custom_connection_data");
    }
    const slug =
      body.connected_account_id === undefined
        ? body.custom_connection_data?.toolkitSlug
        : usable(accountById(body.connected_account_id, undefined, world)).toolkit;
    const toolkit = world.catalogue.toolkits.get(slug ?? "");
    if (toolkit?.baseUrl === undefined) throw refuseProxy("MissingBaseUrl", `Toolkit ${slug} has no base address`);
    const address = new URL(body.endpoint.replace(/^\/+(?=.)/, ""), `${toolkit.baseUrl}/`);
    if (address.origin !== new URL(toolkit.baseUrl).origin) {
      throw refuseProxy("OriginMismatch", `${address.origin} is not where ${toolkit.slug} lives`);
    }
    for (const { name, value, type } of body.parameters ?? [])
      if (type === "query") address.searchParams.append(name, value);
    const answer = toolkit.proxy?.({
      method: body.method,
      path: address.pathname,
      query: address.searchParams,
      body: body.body,
      data: dataOf(toolkit, world),
    }) ?? { status: 404, data: { message: "Not Found" } };
    return { ...answer, headers: { "content-type": "application/json" } };
  },
};

/** The account to act through; `undefined` for a toolkit that needs none, or where the call brings its own credentials. */
function pickAccount(toolkit: ToolkitDefinition, body: ExecuteToolBody, world: World): StoredAccount | undefined {
  const userId = body.user_id ?? body.entity_id;
  if (body.connected_account_id !== undefined) return usable(accountById(body.connected_account_id, userId, world));
  if (toolkit.auth.length === 0 || body.custom_connection_data || body.custom_auth_params) return undefined;
  if (userId === undefined) throw invalidRequest(["body.user_id: expected a string, or connected_account_id"]);
  const candidates = [...world.state.connectedAccounts.values()].filter(
    (account) => account.userId === userId && account.toolkit === toolkit.slug,
  );
  // The newest usable one; without any, the newest says why it cannot be used.
  const newest = candidates.findLast(({ status }) => status === "ACTIVE") ?? candidates.at(-1);
  if (newest) return usable(newest);
  throw noAccount(`No connected account found for user ID ${userId} for toolkit ${toolkit.slug}`);
}

function accountById(id: string, userId: string | undefined, { state }: World): StoredAccount {
  const account = state.connectedAccounts.get(id);
  if (!account) throw noAccount(`No connected account found with ID ${id}`);
  if (userId === undefined || account.userId === userId) return account;
  throw new Refusal({
    status: 400,
    code: 1812,
    slug: "ActionExecute_ConnectedAccountEntityIdMismatch",
    message: "Connected account user ID does not match the provided user ID",
  });
}

function usable(account: StoredAccount): StoredAccount {
  const { id, status } = account;
  if (status === "ACTIVE") return account;
  const message = `Connected account ${id} is in ${status} state`;
  if (status === "EXPIRED") {
    const suggestedFix = "Ask the user to connect the account again";
    throw new Refusal({
      status: 410,
      code: 1820,
      slug: "ActionExecute_ConnectedAccountExpired",
      message,
      suggestedFix,
    });
  }
  throw new Refusal({ status: 422, code: 1821, slug: "ActionExecute_ConnectedAccountNotActive", message });
}

function noAccount(message: string): Refusal {
  const suggestedFix = "Connect an account of this user for this toolkit first";
  return new Refusal({
    status: 404,
    code: 1810,
    slug: "ActionExecute_ConnectedAccountNotFound",
    message,
    suggestedFix,
  });
}

function refuseProxy(slug: string, message: string): Refusal {
  return new Refusal({ status: 400, code: 10400, slug, message });
}

/** What is wrong with the arguments, as the service tells it: inside a 200, naming the fields. */
function argumentProblem({ facts }: VersionedTool, given: JsonObject): string | undefined {
  const required: unknown = facts.input["required"];
  const missing = Array.isArray(required) ? required.filter((name) => given[String(name)] === undefined) : [];
  if (missing.length > 0) return `Invalid request data provided: following fields are missing: ${missing.join(", ")}`;
  const [first] = mismatchesOf(fromJSONSchema(facts.input), given);
  return first && `Invalid request data provided: ${first.path}: expected ${first.expected}, received ${first.seen}`;
}

async function runTool(
  { toolkit, tool, version }: VersionedTool,
  given: JsonObject,
  body: ExecuteToolBody,
  account: StoredAccount | undefined,
  world: World,
): Promise<ToolResult> {
  try {
    const data = await tool.run({
      arguments: given,
      version,
      userId: body.user_id ?? body.entity_id ?? account?.userId,
      accountId: account?.id,
      data: dataOf(toolkit, world),
      now: world.clock.iso(),
    });
    return { successful: true, data: structuredClone(data), error: null };
  } catch (error) {
    if (error instanceof ProviderError) {
      return { successful: false, data: { message: error.message, status_code: error.status }, error: error.message };
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal({
      status: 500,
      code: 10500,
      slug: "Emulator_ToolCrashed",
      message: `The emulated tool ${tool.slug} threw: ${reason}`,
      suggestedFix: "Throw a ProviderError from run() where the external application would refuse",
    });
  }
}

function dataOf(toolkit: ToolkitDefinition, { state }: World): JsonObject {
  const data = state.toolkitData.get(toolkit.slug) ?? {};
  state.toolkitData.set(toolkit.slug, data);
  return data;
}
