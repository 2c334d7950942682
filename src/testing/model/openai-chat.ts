import { field, isObject, isString, type Json, textOf } from "../../shared/json.js";
import type { ModelOutput } from "./types.js";
import {
  argumentsText,
  contentText,
  duplicateOf,
  lastOf,
  type MadeTurn,
  objectsIn,
  offered,
  openaiErrors,
  openaiMissing,
  openaiName,
  openaiUnknown,
  pieces,
  type Rejection,
  type RepeatedIds,
  sse,
  unknownField,
  type Wire,
  words,
} from "./wire.js";

// The names in the declarations of openai 7.59.0, assumption M1.
export const COMPLETION_FIELDS = words(
  "messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options",
);
export const TOOL_MESSAGE_FIELDS = words("content role tool_call_id");
/** LangChain's messages have a name, which no client declares. */
const TAKEN_FIELDS = [...TOOL_MESSAGE_FIELDS, "name"];

const roleOf = (message: Json) => textOf(message, "role");
const toolCallsIn = (message: Json | undefined) => objectsIn(message?.["tool_calls"]);

/** OpenAI's Chat Completions. */
export function openaiChatWire(): Wire {
  return {
    ...openaiErrors,
    provider: "openai-chat",
    callPrefix: "call_",
    matches: (path) => /\/chat\/completions(\?|$)/.test(path),
    isStream: (_, body) => body["stream"] === true,
    read: readOf,
    rejection: (body, repeated) =>
      fieldRejection(body) ?? messageRejection(objectsIn(body["messages"])) ?? callRejection(body, repeated),
    whole: (turn, turnNumber, body) => {
      const choice = { index: 0, message: messageOf(turn), logprobs: null, finish_reason: finishOf(turn) };
      return {
        id: `chatcmpl_${turnNumber}`,
        object: "chat.completion",
        created: Math.floor(Date.now() / 1_000),
        model: body["model"],
        choices: [choice],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      };
    },
    events: eventsOf,
  };
}

function readOf(body: Json) {
  const messages = objectsIn(body["messages"]);
  const outputs = lastOf(messages, (message) => roleOf(message) === "tool").map(
    (message): ModelOutput => ({
      id: textOf(message, "tool_call_id"),
      text: contentText(message["content"]),
      isError: undefined,
    }),
  );
  const prompt = contentText(messages.findLast((message) => roleOf(message) === "user")?.["content"]);
  const tools = objectsIn(body["tools"])
    .map((tool) => tool["function"])
    .filter(isObject)
    .map((definition) => offered(definition, "parameters"));
  return { prompt, tools, outputs };
}

function fieldRejection(body: Json): Rejection | undefined {
  const unknown = unknownField(body, COMPLETION_FIELDS);
  // Assumption M1.
  if (unknown !== undefined) return openaiUnknown(unknown);
  if (!isString(body["model"])) return openaiMissing("model");
  if (!Array.isArray(body["messages"])) return openaiMissing("messages");
  const names = objectsIn(body["tools"]).map((tool) => field(tool["function"], "name"));
  for (const [index, name] of names.entries()) {
    const wrong = openaiName(name, `tools[${index}].function.name`);
    if (wrong) return wrong;
  }
  const chosen = field(field(body["tool_choice"], "function"), "name");
  if (!isString(chosen) || names.includes(chosen)) return undefined;
  return { message: `Tool choice '${chosen}' not found in 'tools' parameter.`, param: "tool_choice" };
}

const emptyArray = (param: string): Rejection => ({
  message: `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
  param,
  code: "empty_array",
});

function messageRejection(messages: readonly Json[]): Rejection | undefined {
  if (messages.length === 0) return emptyArray("messages");
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    const extra = roleOf(message) === "tool" ? unknownField(message, TAKEN_FIELDS) : undefined;
    if (extra !== undefined) return openaiUnknown(`${at}.${extra}`);
    if (Array.isArray(message["tool_calls"]) && toolCallsIn(message).length === 0)
      return emptyArray(`${at}.tool_calls`);
    const isSilent = message["content"] === null || message["content"] === undefined;
    const mayBeSilent =
      roleOf(message) === "assistant" && (toolCallsIn(message).length > 0 || isString(message["refusal"]));
    if (isSilent && !mayBeSilent && !message["function_call"] && !message["audio"]) {
      return { message: `Invalid value for 'content': expected a string, got null.`, param: `${at}.content` };
    }
  }
  return undefined;
}

/** The messages after one with calls have their outputs, one for each. */
function callRejection(body: Json, repeated: RepeatedIds): Rejection | undefined {
  const messages = objectsIn(body["messages"]);
  const inMessages = (message: string): Rejection => ({ message, param: "messages" });
  let open: string[] = [];
  let mayFollow = false;
  for (const message of [...messages, {}]) {
    if (roleOf(message) === "tool") {
      const index = open.indexOf(textOf(message, "tool_call_id"));
      if (index === -1 || !mayFollow) {
        return inMessages(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        );
      }
      open.splice(index, 1);
      continue;
    }
    if (open.length > 0) {
      return inMessages(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`,
      );
    }
    open = toolCallsIn(message).map((call) => textOf(call, "id"));
    mayFollow = open.length > 0;
  }
  const twice = duplicateOf(
    messages.flatMap((message) => toolCallsIn(message).map((call) => textOf(call, "id"))),
    repeated,
  );
  // Assumption M2: the words.
  return twice === undefined ? undefined : inMessages(`Duplicate value for 'tool_call_id' of ${twice} in messages.`);
}

function messageOf({ text, calls }: MadeTurn): Json {
  const tool_calls = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: "function",
    function: { name, arguments: argumentsText(args) },
  }));
  return { role: "assistant", content: text ?? null, refusal: null, ...(calls.length > 0 && { tool_calls }) };
}

function finishOf({ calls, isIncomplete }: MadeTurn): string {
  if (isIncomplete) return "length";
  return calls.length > 0 ? "tool_calls" : "stop";
}

function eventsOf(whole: Json, turn: MadeTurn): string[] {
  const { text, calls } = turn;
  const chunk = (delta: object, finish_reason: string | null = null) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
    return sse({ ...whole, object: "chat.completion.chunk", choices });
  };
  const heads = calls.map(({ id, name }, index) => ({
    index,
    id,
    type: "function",
    function: { name, arguments: "" },
  }));
  // Parallel calls arrive interleaved.
  const rest = calls.map((call, index) =>
    pieces(argumentsText(call.arguments)).map((args) => ({ index, function: { arguments: args } })),
  );
  const most = rest.reduce((length, each) => Math.max(length, each.length), 0);
  const steps = Array.from({ length: most }, (_, step) => step);
  return [
    chunk({ role: "assistant", content: text === undefined ? null : "" }),
    ...pieces(text ?? "").map((content) => chunk({ content })),
    ...heads.map((head) => chunk({ tool_calls: [head] })),
    ...steps.flatMap((step) => rest.flatMap((each) => (each[step] ? [chunk({ tool_calls: [each[step]] })] : []))),
    chunk({}, finishOf(turn)),
    "data: [DONE]\n\n",
  ];
}
