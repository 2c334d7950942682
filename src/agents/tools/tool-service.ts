import type { ExecuteMetaToolBody, ExecuteOptions, Svc } from "../../index.js";
import { ownerOf } from "../../shared/client-owner.js";
import type { Json } from "../../shared/json.js";
import { isMetaTool } from "../../shared/tools.js";
import { wellFormed } from "../../shared/well-formed.js";
import { type AgentTool, ReportedFailure } from "../agent-tool.js";
import type { LinkOptions } from "../call-result.js";
import { ensure } from "../ensure.js";
import type { CallLimits } from "../run-options.js";
import type { SerializedForms } from "./compiled-forms.js";
import {
  type ReadSelection,
  readSessionTools,
  readTools,
  type ToolClient,
  type ToolRecord,
  type ToolSession,
} from "./read-tools.js";
import { sharedSchema } from "./shared-schema.js";

/** Limits of a call, headers of its requests, whether it only reads, and what must happen before it is sent. */
export type RequestLimits = CallLimits & Pick<ExecuteOptions, "headers" | "effect" | "beforeSend">;

/** The service, through a client or an agent session: where its tools come from, and how they run. */
export interface ToolService {
  /** The client; `undefined` for a session. */
  readonly client: ToolClient | undefined;
  /** Id of the agent session. */
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  read(selection: ReadSelection): Promise<ToolRecord[]>;
  /** @throws {ReportedFailure} if the tool ran and reported a failure. */
  execute(tool: AgentTool, args: Json, accountId: string | undefined, limits: RequestLimits): Promise<unknown>;
  /** Looks an execution up in the log; `undefined` for a client that can't. */
  readonly settle: Svc["tools"]["settle"] | undefined;
  /** Creates a page on which the user connects an account, and returns its URL. */
  link(toolkit: string, options: LinkOptions): Promise<string>;
}

/** The format of toolsets as JSON that this version of the package writes and reads. */
export const TOOLSET_FORMAT = 1;

/** A toolset's tools as JSON: enough to create the same toolset without a request. */
export interface SerializedToolset {
  /** The format: 1. */
  readonly formatVersion: 1;
  /** The service's tools. */
  readonly tools: readonly ToolRecord[];
  /** The schemas that adapters had compiled. A toolset with them compiles only the tools that a model calls. */
  readonly compiled?: SerializedForms | undefined;
}

/** @param userId - Empty as long as tools are read for all users. */
export function toolServiceOf(source: ToolClient | ToolSession, userId = ""): ToolService {
  return "executeMeta" in source ? sessionService(source) : clientService(source, userId);
}

function clientService(client: ToolClient, userId: string): ToolService {
  const { connectedAccounts, authConfigs } = client;
  const isOurs = ownerOf(client) !== undefined;
  return {
    client,
    sessionId: undefined,
    userId,
    read: (selection) => readTools(client, selection),
    execute: async ({ name, version }, args, accountId, limits) => {
      const body = { user_id: userId, version, arguments: args, connected_account_id: accountId };
      const run = await client.tools.execute(name, body, await sendLimits(isOurs, limits));
      if (!run.successful) throw new ReportedFailure(run.error ?? undefined, { cause: run.data });
      return run.data;
    },
    settle: client.tools.settle?.bind(client.tools),
    link: async (toolkit, { callbackUrl, authConfigId }) => {
      ensure(connectedAccounts, "link needs connectedAccounts.");
      const auth_config_id =
        authConfigId ??
        (await authConfigs?.list({ toolkit_slug: toolkit }))?.items.find(({ status }) => status === "ENABLED")?.id;
      ensure(auth_config_id, `${toolkit} has no enabled auth config. Create one.`);
      const page = await connectedAccounts.link({ auth_config_id, user_id: userId, callback_url: callbackUrl });
      return page.redirect_url;
    },
  };
}

function sessionService(session: ToolSession): ToolService {
  const isOurs = ownerOf(session) !== undefined;
  return {
    client: undefined,
    sessionId: session.id,
    userId: session.record?.config.user_id,
    read: (selection) => readSessionTools(session, selection),
    execute: async ({ name, kind }, args, _, limits) => {
      // The service knows which meta tools it has; the type lists those of today.
      const slug = name as ExecuteMetaToolBody["slug"];
      const options = await sendLimits(isOurs, limits);
      const { data, error } =
        kind === "meta"
          ? await session.executeMeta({ slug, arguments: args }, options)
          : await session.execute({ tool_slug: slug, arguments: args }, options);
      if (error !== null) throw new ReportedFailure(error, { cause: data });
      return data;
    },
    settle: session.settle?.bind(session),
    link: async (toolkit, { callbackUrl }) => {
      const page = await session.link({ toolkit, callback_url: callbackUrl });
      return page.redirect_url;
    },
  };
}

/** Options of a request. A client of the program may not know `beforeSend`, so it is called before that client. */
async function sendLimits(isOurs: boolean, limits: RequestLimits): Promise<RequestLimits> {
  if (isOurs) return limits;
  const { beforeSend, ...rest } = limits;
  await beforeSend?.({ signal: limits.signal, requestId: undefined, waitedMs: 0 });
  return rest;
}

/** A tool of the service as a model and a policy see it. */
export function agentTool(record: ToolRecord, isSession = false): AgentTool {
  const { slug, input_parameters, output_parameters: output, no_auth: _, ...facts } = record;
  const parameters = sharedSchema(input_parameters);
  const description = wellFormed(facts.description);
  // Also one that this version doesn't know, or that was found outside of a session: what it runs must be evaluated.
  const kind = isMetaTool(slug) ? "meta" : "service";
  // Which version a session runs isn't known.
  const version = isSession ? undefined : facts.version;
  return { ...facts, version, name: slug, description, parameters, output, kind };
}
