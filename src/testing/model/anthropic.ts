import { field, isObject, isString, type Json, textOf } from "../../shared/json.js";
import { callRejection, contentOf, resultsIn, typeOf } from "./anthropic-calls.js";
import type { ModelOutput } from "./types.js";
import {
  argumentsText,
  contentText,
  duplicateOf,
  type MadeTurn,
  objectsIn,
  offered,
  pieces,
  type Rejection,
  sse,
  unknownField,
  type Wire,
  words,
} from "./wire.js";

// The names in the declarations of @anthropic-ai/sdk 1.14.0, of both of its APIs, assumption M1.
export const MESSAGES_FIELDS = words(
  "max_tokens messages model billing_policy cache_control compaction container context_management diagnostics fallback_credit_token fallbacks inference_geo mcp_servers metadata output_config output_format service_tier speed stop_sequences stream system thinking thread tool_choice tools user_profile_id workspace_id",
);
export const ANTHROPIC_TOOL_FIELDS = words(
  "input_schema name allowed_callers cache_control defer_loading description eager_input_streaming input_examples strict type",
);
export const TOOL_USE_FIELDS = words("id input name type cache_control caller toolset_name");
export const TOOL_RESULT_FIELDS = words("tool_use_id type cache_control content is_error toolset_name");

const FIELDS_OF: Readonly<Record<string, readonly string[]>> = {
  tool_use: TOOL_USE_FIELDS,
  tool_result: TOOL_RESULT_FIELDS,
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

/** Anthropic's Messages. */
export function anthropicWire(): Wire {
  return {
    provider: "anthropic",
    callPrefix: "toolu_",
    matches: (path) => /\/messages(\?|$)/.test(path),
    isStream: (_, body) => body["stream"] === true,
    hasKey: (headers) => headers.has("x-api-key") || headers.has("authorization"),
    read: readOf,
    rejection: (body, repeated) =>
      fieldRejection(body) ?? messageRejection(objectsIn(body["messages"])) ?? callRejection(body, repeated),
    notJson: { message: "The request body is not valid JSON" },
    unauthorized: { status: 401, message: "x-api-key header is required" },
    failures: {
      overloaded: { status: 529, message: "Overloaded" },
      rate_limited: { status: 429, message: "This request would exceed your organization's rate limit." },
      server_error: { status: 500, message: "Internal server error" },
    },
    errorBody: ({ status = 400, message }) => ({
      type: "error",
      error: { type: ERROR_TYPES[status] ?? "invalid_request_error", message },
      request_id: "req_scripted",
    }),
    whole: messageOf,
    events: eventsOf,
  };
}

function readOf(body: Json) {
  const messages = objectsIn(body["messages"]);
  const outputs = resultsIn(messages.at(-1)).map((block): ModelOutput => {
    return {
      id: textOf(block, "tool_use_id"),
      text: contentText(block["content"]),
      isError: block["is_error"] === true ? true : undefined,
    };
  });
  const asked = messages.findLast((message) => message["role"] === "user" && contentText(message["content"]) !== "");
  const own = objectsIn(body["tools"]).filter((tool) => isObject(tool["input_schema"]));
  return { prompt: contentText(asked?.["content"]), tools: own.map((tool) => offered(tool, "input_schema")), outputs };
}

const extraInput = (path: string): Rejection => ({ message: `${path}: Extra inputs are not permitted` });

function fieldRejection(body: Json): Rejection | undefined {
  const unknown = unknownField(body, MESSAGES_FIELDS);
  if (unknown !== undefined) return extraInput(unknown);
  const missing = ["model", "max_tokens", "messages"].find((name) => body[name] === undefined);
  if (missing !== undefined) return { message: `${missing}: Field required` };
  const tools = objectsIn(body["tools"]);
  for (const [index, tool] of tools.entries()) {
    if (!isObject(tool["input_schema"])) continue;
    const extra = unknownField(tool, ANTHROPIC_TOOL_FIELDS);
    if (extra !== undefined) return extraInput(`tools.${index}.custom.${extra}`);
    if (!/^[\w-]{1,128}$/.test(textOf(tool, "name"))) {
      return { message: `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'` };
    }
    const callers = tool["allowed_callers"];
    // Assumption A17.
    if (tool["strict"] === true && Array.isArray(callers) && callers.length > 1) {
      return { message: `tools.${index}.custom: tools that programs call can't be strict` };
    }
  }
  const names = tools.map((tool) => textOf(tool, "name"));
  if (duplicateOf(names) !== undefined) return { message: "tools: Tool names must be unique." };
  const chosen = field(body["tool_choice"], "name");
  if (!isString(chosen) || names.includes(chosen)) return undefined;
  return { message: `Tool '${chosen}' not found in provided tools` };
}

function messageRejection(messages: readonly Json[]): Rejection | undefined {
  if (messages.length === 0) return { message: "messages: at least one message is required" };
  for (const [at, message] of messages.entries()) {
    const { content } = message;
    const isLastAssistant = at === messages.length - 1 && message["role"] === "assistant";
    if ((content === "" || (Array.isArray(content) && content.length === 0)) && !isLastAssistant) {
      return {
        message: `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
      };
    }
    for (const [index, block] of contentOf(message).entries()) {
      const type = typeOf(block);
      if (type === "text" && block["text"] === "")
        return { message: "messages: text content blocks must be non-empty" };
      const extra = unknownField(block, FIELDS_OF[type] ?? Object.keys(block));
      if (extra !== undefined) return extraInput(`messages.${at}.content.${index}.${type}.${extra}`);
      if (type === "tool_use" && !isObject(block["input"])) {
        return { message: `messages.${at}.content.${index}.tool_use.input: Input should be a valid dictionary` };
      }
    }
  }
  return undefined;
}

function blocksOf({ text, calls }: MadeTurn): Json[] {
  const made = calls.map(({ id, name, arguments: args, program }) => ({
    type: "tool_use",
    id,
    name,
    // The service parses whole messages, so they have no broken JSON.
    input: isString(args) ? {} : (args ?? {}),
    caller: program === undefined ? { type: "direct" } : { type: "code_execution_20260120", tool_id: program },
  }));
  return text === undefined ? made : [{ type: "text", text, citations: null }, ...made];
}

function messageOf(turn: MadeTurn, turnNumber: number, body: Json): Json {
  const { calls, isIncomplete } = turn;
  const finished = calls.length > 0 ? "tool_use" : "end_turn";
  const isInProgram = calls.some(({ program }) => program !== undefined);
  return {
    id: `msg_${turnNumber}`,
    type: "message",
    role: "assistant",
    model: body["model"],
    content: blocksOf(turn),
    stop_reason: isIncomplete ? "max_tokens" : finished,
    stop_sequence: null,
    container: isInProgram ? { id: "container_1", expires_at: "2099-01-01T00:00:00Z" } : null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function eventsOf(whole: Json, turn: MadeTurn): string[] {
  const blocks = contentOf(whole);
  const { stop_reason, stop_sequence, container } = whole;
  const parts = blocks.flatMap((block, index) => {
    const isText = typeOf(block) === "text";
    const call = turn.calls[index - (blocks.length - turn.calls.length)];
    const deltas = pieces(isText ? textOf(block, "text") : argumentsText(call?.arguments)).map((piece) =>
      isText ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece },
    );
    const content_block = isText ? { ...block, text: "" } : { ...block, input: {} };
    return [
      { type: "content_block_start", index, content_block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ];
  });
  return [
    { type: "message_start", message: { ...whole, content: [], stop_reason: null } },
    ...parts,
    { type: "message_delta", delta: { stop_reason, stop_sequence, container }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ].map((data) => sse(data, data.type));
}
