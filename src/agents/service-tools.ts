import { ConfigError } from "../errors/local.js";
import type { ExecuteMetaToolBody } from "../index.js";
import type { AuthRequired } from "./auth-required.js";
import { withFilesAsStrings } from "./file-arguments.js";
import type { FindTools } from "./inner-calls.js";
import { readNamedTools, type ToolClient, type ToolRecord, type ToolSession } from "./sources.js";
import { type AgentTool, type RunnableTool, type ToolContext, ToolFailure } from "./tool.js";

/** A tool that the service runs for a user. */
export function clientTool(record: ToolRecord, client: ToolClient, userId: string): RunnableTool {
  const { slug, version } = record;
  return {
    tool: agentTool(record, version),
    schema: record.input_parameters,
    execute: async (args, context) => {
      const { accountId } = context;
      const body = {
        user_id: userId,
        version,
        arguments: args,
        ...(accountId !== undefined && { connected_account_id: accountId }),
      };
      const run = await client.tools.execute(slug, body, boundsOf(context));
      if (!run.successful) throw new ToolFailure(run.error, run.data);
      return run.data;
    },
  };
}

/** A tool that an agent session runs for its user. */
export function sessionTool(record: ToolRecord, session: ToolSession): RunnableTool {
  const tool = agentTool(record, undefined);
  return {
    tool,
    schema: record.input_parameters,
    execute: async (args, context) => {
      const bounds = boundsOf(context);
      // The service knows which meta tools it has; the type lists those of today.
      const slug = record.slug as ExecuteMetaToolBody["slug"];
      const { data, error } =
        tool.kind === "meta"
          ? await session.executeMeta({ slug, arguments: args }, bounds)
          : await session.execute({ tool_slug: slug, arguments: args }, bounds);
      if (error !== null) throw new ToolFailure(error, data);
      return data;
    },
  };
}

/**
 * Looks up tools: those of the toolset, then those of the service, each once. Which version a session runs isn't known.
 */
export function finder(own: readonly RunnableTool[], catalog: Pick<ToolClient, "tools"> | undefined): FindTools {
  const known = new Map(own.map(({ tool }) => [tool.name, tool]));
  return async (slugs) => {
    const missing = slugs.filter((slug) => !known.has(slug));
    if (catalog && missing.length > 0) {
      for (const record of await readNamedTools(catalog, missing)) {
        known.set(record.slug, agentTool(record, undefined));
      }
    }
    return known;
  };
}

/**
 * The account that the service would choose: the user's newest active one. `undefined` without one, and for tools that
 * need none.
 */
export async function newestAccount(
  { connectedAccounts }: ToolClient,
  userId: string,
  { kind, toolkit }: AgentTool,
): Promise<string | undefined> {
  if (kind !== "service" || toolkit === undefined) return undefined;
  if (!connectedAccounts) throw new ConfigError("toolset: approvals need a client with connectedAccounts.");
  const { items } = await connectedAccounts.list({
    user_ids: [userId],
    toolkit_slugs: [toolkit],
    statuses: ["ACTIVE"],
    order_by: "created_at",
    order_direction: "desc",
    limit: 1,
  });
  return items[0]?.id;
}

/** Creates pages on which the user connects accounts. */
export function clientLinks(client: ToolClient, userId: string): (toolkit: string) => AuthRequired["link"] {
  return (toolkit) =>
    async ({ callbackUrl, authConfigId } = {}) => {
      if (!client.connectedAccounts) throw new ConfigError("toolset: link needs a client with connectedAccounts.");
      const { redirect_url } = await client.connectedAccounts.link({
        auth_config_id: authConfigId ?? (await enabledConfig(client, toolkit)),
        user_id: userId,
        ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
      });
      return redirect_url;
    };
}

async function enabledConfig({ authConfigs }: ToolClient, toolkit: string): Promise<string> {
  const page = await authConfigs?.list({ toolkit_slug: toolkit });
  const config = page?.items.find(({ status }) => status === "ENABLED");
  if (config) return config.id;
  throw new ConfigError(`toolset: ${toolkit} has no enabled auth config. Create one with svc.authConfigs.create.`);
}

/** Creates pages on which a session's user connects accounts. */
export function sessionLinks(session: ToolSession): (toolkit: string) => AuthRequired["link"] {
  return (toolkit) =>
    async ({ callbackUrl } = {}) => {
      const { redirect_url } = await session.link({
        toolkit,
        ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
      });
      return redirect_url;
    };
}

function agentTool(record: ToolRecord, version: string | undefined): AgentTool {
  const { slug, description, toolkit, tags, input_parameters } = record;
  // Also one that this version doesn't know, or that was found outside of a session: what it runs must be judged.
  const kind = slug.startsWith("SVC_") ? "meta" : "service";
  // A schema is an object, and stays one unless it is a file itself.
  const parameters = withFilesAsStrings(input_parameters) as AgentTool["parameters"];
  return { name: slug, description, parameters, tags, kind, toolkit, version };
}

function boundsOf({ signal, deadlineMs, timeoutMs }: ToolContext) {
  return { signal, deadlineMs, timeoutMs };
}
