import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { canonicalJson } from "../../shared/canonical-json.js";
import { field, isString } from "../../shared/json.js";
import { isFailure, TOOL_HINTS } from "../../shared/tools.js";
import { wellFormed } from "../../shared/well-formed.js";
import type { AgentTool } from "../agent-tool.js";
import type { ApprovalIssuer, ApprovalResponse } from "../approvals/approval-issuer.js";
import { describeApproval } from "../approvals/describe-approval.js";
import { compileToolset } from "../schema/compile-toolset.js";
import type { Toolset } from "../toolset.js";
import { type PassthroughSchema, passthroughSchema } from "./standard-schema.js";
import { outputSchemaOf, structuredOf } from "./structured-output.js";

export {
  type McpClientLike,
  type McpListedTool,
  type McpLock,
  type McpToolsOptions,
  mcpLock,
  mcpTools,
} from "./mcp-tools.js";

/** The result of a call, as an MCP server returns it. */
export interface McpResult {
  /** The text for the model. */
  content: { type: "text"; text: string }[];
  /** Present unless the call succeeded. */
  isError?: boolean;
  /** The result for programs, as the tool's `outputSchema` describes it. Missing if the call failed. */
  structuredContent?: Record<string, unknown>;
  [field: string]: unknown;
}

/** The part of an `McpServer` from `@modelcontextprotocol/server` that the adapter uses. */
export interface McpServerLike {
  /** Registers a tool. */
  registerTool(
    name: string,
    config: {
      description: string;
      inputSchema: PassthroughSchema;
      outputSchema?: PassthroughSchema;
      annotations: McpAnnotations;
    },
    handler: (args: unknown, context: McpContext) => Promise<McpResult | McpInputRequired>,
  ): unknown;
}

/** The hints among a tool's tags, as MCP names them. */
export interface McpAnnotations {
  /** It changes nothing. */
  readOnlyHint?: boolean;
  /** It may destroy something. */
  destructiveHint?: boolean;
  /** Running it again changes nothing more. */
  idempotentHint?: boolean;
  /** It reaches beyond its own data. */
  openWorldHint?: boolean;
}

/** The part of a handler's context that the adapter uses. */
export interface McpContext {
  /** The request. */
  readonly mcpReq: {
    /** Cancels the call. */
    readonly signal: AbortSignal;
    /** Responses of the client's user, by question. */
    readonly inputResponses?: Record<string, unknown>;
    /** The state that came with the question, as the client brings it back. */
    requestState(): unknown;
    /** Has a `progressToken` if the client wants to hear about progress. */
    readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
    /** Sends a notification to the client. */
    notify(notification: McpProgress): Promise<void>;
  };
}

/** Tells a client that its call still runs. */
export interface McpProgress {
  method: "notifications/progress";
  /** The client's token, and how many of these notifications it got. */
  params: { progressToken: string | number; progress: number; message: string };
  [field: string]: unknown;
}

/** A question to the client's user. The client calls again with the response and the state. */
export interface McpInputRequired {
  resultType: "input_required";
  /** The question, under the name `approval`. */
  inputRequests: Record<string, McpElicitation>;
  /** A token that asks for the approval of this call. */
  requestState: string;
  [field: string]: unknown;
}

/** A form for the client's user. It asks for nothing but yes or no. */
export interface McpElicitation {
  method: "elicitation/create";
  /** The words of the question, and a form without fields. */
  params: {
    mode: "form";
    message: string;
    requestedSchema: { type: "object"; properties: Record<string, never> };
  };
}

/** Options of {@link mcpServer}. */
export interface McpOptions {
  /**
   * Lets the user of the MCP client approve calls: the toolset's own approvals. Anyone who runs the client can then
   * approve. The description doesn't contain arguments that `bind` sets. Without this option, the client is told that
   * the call waits.
   */
  readonly approvals?: ApprovalIssuer | undefined;
  /**
   * Id of the approver for the token, such as the client's authenticated user.
   * @default "mcp-client"
   */
  readonly approver?: string | undefined;
  /**
   * Milliseconds between progress notifications while a call runs. Many clients stop waiting after a minute, unless
   * they request progress and receive it.
   * @default 10_000
   */
  readonly progressIntervalMs?: number | undefined;
}

const MCP_OPTIONS = {
  approvals: option.fitting("what approvals() returned", (value) => option.isFunction(field(value, "request"))),
  approver: { ...option.STRING, default: "mcp-client" },
  progressIntervalMs: {
    ...option.fitting("a number above 0", (value) => typeof value === "number" && value > 0),
    default: 10_000,
  },
} as const satisfies option.Rules<McpOptions>;

const MORE_ARGUMENTS = "\nThe program sets more arguments, which aren't shown here.";

/** The client calls again in one go; a person needs a while to read. */
const RESPOND_WITHIN_MS = 600_000;

/**
 * Registers a toolset's tools with an MCP server, and returns the server.
 *
 * ```ts
 * const server = mcpServer(tools, new McpServer({ name: "my-tools", version: "1.0.0" }));
 * ```
 *
 * Every request is a new call, because ids of MCP requests aren't unique across clients. Only the response to an
 * approval request continues its call.
 *
 * @throws {ConfigError} if the server is missing, and for an unknown or invalid option.
 */
export function mcpServer<Server extends McpServerLike>(
  tools: Toolset,
  server: Server,
  options: McpOptions = {},
): Server {
  const { approvals: issuer, approver, progressIntervalMs } = option.checkAll("mcpServer", options, MCP_OPTIONS);
  const compiled = compileToolset(tools, "json-schema");
  if (typeof server?.registerTool !== "function") {
    throw new ConfigError("mcpServer: pass the server too: mcpServer(tools, new McpServer({ name, version })).");
  }
  const originals = new Map(tools.tools.map((tool) => [tool.name, tool]));
  compiled.tools.forEach(({ name, originalName, description, schema }) => {
    const original = originals.get(originalName);
    const output = outputSchemaOf(original?.output);
    const config = {
      description,
      inputSchema: passthroughSchema(schema),
      ...(output && { outputSchema: passthroughSchema(output) }),
      annotations: annotationsOf(original),
    };
    server.registerTool(name, config, async (args, { mcpReq }) => {
      const decided = issuer && (await decisionOf(issuer, mcpReq));
      const call = { callId: decided?.callId ?? crypto.randomUUID(), name, arguments: args };
      const approvals = decided ? [decided.token] : [];
      const progress = reportProgress(mcpReq, progressIntervalMs);
      const [result] = await compiled
        .run([call], { signal: mcpReq.signal, approvals })
        .finally(() => clearInterval(progress));
      if (result?.pendingApproval && issuer) {
        const { token } = await issuer.request(result.pendingApproval, { approver, expiresInMs: RESPOND_WITHIN_MS });
        // A bound argument may be a secret, and the client is another program.
        const visible = tools.withoutBound(result.pendingApproval);
        const isWhole = canonicalJson(visible.arguments) === canonicalJson(result.pendingApproval.arguments);
        return inputRequired(describeApproval(visible) + (isWhole ? "" : MORE_ARGUMENTS), token);
      }
      const content = [{ type: "text" as const, text: result?.text ?? "" }];
      if (!result || isFailure(result.status)) return { content, isError: true };
      return { content, ...(output && { structuredContent: structuredOf(output, result) }) };
    });
  });
  return server;
}

/** Tells the client regularly that its call still runs, until the interval is cleared. */
function reportProgress({ _meta, notify }: McpContext["mcpReq"], intervalMs: number) {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, message: "The call still runs." };
    // A client that can't be told has left, or will ask again.
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  }, intervalMs);
}

/** The decision of the client's user, as a token; `undefined` if this isn't the response to a question. */
async function decisionOf(
  issuer: ApprovalIssuer,
  { inputResponses, requestState }: McpContext["mcpReq"],
): Promise<ApprovalResponse | undefined> {
  const [state, response] = [requestState(), field(inputResponses, "approval")];
  if (!isString(state) || response === undefined) return undefined;
  const decision = { approved: field(response, "action") === "accept" };
  // A client whose state isn't the one it was given, or is too old, is asked again.
  return issuer.respond(state, decision).catch(() => undefined);
}

function inputRequired(description: string, requestState: string): McpInputRequired {
  const message = wellFormed(description);
  const requestedSchema = { type: "object", properties: {} } as const;
  const approval = { method: "elicitation/create", params: { mode: "form", message, requestedSchema } } as const;
  return { resultType: "input_required", inputRequests: { approval }, requestState };
}

function annotationsOf(tool: AgentTool | undefined): McpAnnotations {
  return Object.fromEntries(TOOL_HINTS.flatMap((hint) => (tool?.tags.includes(hint) ? [[hint, true]] : [])));
}
