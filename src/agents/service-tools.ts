import { ConfigError } from "../errors/local.js";
import type { ExecuteMetaToolBody } from "../index.js";
import type { LinkOptions } from "./auth-required.js";
import { withFilesAsStrings } from "./file-arguments.js";
import type { ToolClient, ToolRecord, ToolSession } from "./sources.js";
import { type AgentTool, type RunnableTool, ToolFailure } from "./tool.js";

/** A tool that the service runs for a user. */
export function clientTool(record: ToolRecord, client: ToolClient, userId: string): RunnableTool {
  const { slug, version, input_parameters: schema } = record;
  return {
    tool: agentTool(record),
    schema,
    execute: async (args, { accountId }, limits) => {
      const body = { user_id: userId, version, arguments: args, connected_account_id: accountId };
      const run = await client.tools.execute(slug, body, limits);
      if (!run.successful) throw new ToolFailure(run.error, run.data);
      return run.data;
    },
  };
}

/** A tool that an agent session runs for its user. */
export function sessionTool(record: ToolRecord, session: ToolSession): RunnableTool {
  // Which version a session runs isn't known.
  const tool = { ...agentTool(record), version: undefined };
  // The service knows which meta tools it has; the type lists those of today.
  const slug = record.slug as ExecuteMetaToolBody["slug"];
  return {
    tool,
    schema: record.input_parameters,
    execute: async (args, _, limits) => {
      const { data, error } =
        tool.kind === "meta"
          ? await session.executeMeta({ slug, arguments: args }, limits)
          : await session.execute({ tool_slug: slug, arguments: args }, limits);
      if (error !== null) throw new ToolFailure(error, data);
      return data;
    },
  };
}

/** Creates a page on which the user connects an account, and returns its URL. */
export async function clientLink(
  client: ToolClient,
  userId: string,
  toolkit: string,
  { callbackUrl, authConfigId }: LinkOptions,
): Promise<string> {
  if (!client.connectedAccounts) throw new ConfigError("toolset: link needs connectedAccounts.");
  const { redirect_url } = await client.connectedAccounts.link({
    auth_config_id: authConfigId ?? (await enabledConfig(client, toolkit)),
    user_id: userId,
    callback_url: callbackUrl,
  });
  return redirect_url;
}

async function enabledConfig({ authConfigs }: ToolClient, toolkit: string): Promise<string> {
  const page = await authConfigs?.list({ toolkit_slug: toolkit });
  const config = page?.items.find(({ status }) => status === "ENABLED");
  if (config) return config.id;
  throw new ConfigError(`toolset: ${toolkit} has no enabled auth config. Create one with svc.authConfigs.create.`);
}

/** Creates a page on which a session's user connects an account, and returns its URL. */
export async function sessionLink(
  session: ToolSession,
  toolkit: string,
  { callbackUrl }: LinkOptions,
): Promise<string> {
  const { redirect_url } = await session.link({ toolkit, callback_url: callbackUrl });
  return redirect_url;
}

/** A tool of the service as a model and a policy see it. */
export function agentTool({ slug, input_parameters, ...facts }: ToolRecord): AgentTool {
  // Also one that this version doesn't know, or that was found outside of a session: what it runs must be judged.
  const kind = slug.startsWith("SVC_") ? "meta" : "service";
  // A schema is an object, and stays one unless it is a file itself.
  const parameters = withFilesAsStrings(input_parameters) as AgentTool["parameters"];
  return { ...facts, name: slug, parameters, kind };
}
