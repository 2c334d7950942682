import { field, isObject, isString, type Json, textOf } from "../../shared/json.js";
import { openaiEvents } from "./openai-events.js";
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
  type Rejection,
  type RepeatedIds,
  unknownField,
  type Wire,
  words,
} from "./wire.js";

// The names in the declarations of openai 7.59.0, assumption M1.
export const RESPONSE_FIELDS = words(
  "access_programs background background_options context_management conversation image include input instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user",
);
export const FUNCTION_TOOL_FIELDS = words(
  "name parameters strict type allowed_callers async defer_loading description output_schema",
);
export const FUNCTION_CALL_FIELDS = words("arguments call_id name type id async caller namespace status");
export const FUNCTION_OUTPUT_FIELDS = words("output type id call_id caller name namespace status");

const typeOf = (item: Json) => textOf(item, "type");
const isOutput = (item: Json) => typeOf(item) === "function_call_output";
const isCall = (item: Json) => typeOf(item) === "function_call";
const callId = (item: Json) => textOf(item, "call_id");

/** OpenAI's Responses API. It keeps responses, as the service does by default. */
export function openaiWire(): Wire {
  /** The items of each response's conversation, by its id. */
  const stored = new Map<string, readonly Json[]>();
  const items = new Map<string, Json>();
  const conversationOf = (body: Json) => {
    const before = stored.get(textOf(body, "previous_response_id")) ?? [];
    return [...before, ...inputOf(body).map((item) => items.get(referenced(item) ?? "") ?? item)];
  };
  return {
    ...openaiErrors,
    provider: "openai",
    callPrefix: "call_",
    matches: (path) => /\/responses(\?|$)/.test(path),
    isStream: (_, body) => body["stream"] === true,
    read: (body) => readOf(body, conversationOf(body)),
    rejection: (body, repeated) =>
      fieldRejection(body) ??
      referenceRejection(body, stored, items) ??
      callRejection(inputOf(body), conversationOf(body), repeated),
    whole: responseOf,
    events: openaiEvents,
    remember: (body, response) => {
      if (body["store"] === false) return;
      const output = objectsIn(response["output"]);
      stored.set(textOf(response, "id"), [...conversationOf(body), ...output]);
      for (const item of output) items.set(textOf(item, "id"), item);
    },
  };
}

function inputOf({ input }: Json): readonly Json[] {
  return isString(input) ? [{ role: "user", content: input }] : objectsIn(input);
}

const referenced = (item: Json) => (typeOf(item) === "item_reference" ? textOf(item, "id") : undefined);

function readOf(body: Json, conversation: readonly Json[]) {
  const user = conversation.findLast((item) => item["role"] === "user");
  const outputs = lastOf(conversation, isOutput).map(
    (item): ModelOutput => ({ id: callId(item), text: contentText(item["output"]), isError: undefined }),
  );
  // Tools can be in namespaces.
  const all = objectsIn(body["tools"]).flatMap((tool) => [tool, ...objectsIn(tool["tools"])]);
  const tools = all.filter((tool) => typeOf(tool) === "function").map((tool) => offered(tool, "parameters"));
  return { prompt: contentText(user?.["content"]), tools, outputs };
}

function fieldRejection(body: Json): Rejection | undefined {
  const unknown = unknownField(body, RESPONSE_FIELDS);
  if (unknown !== undefined) return openaiUnknown(unknown);
  if (!isString(body["model"])) return openaiMissing("model");
  const tools = objectsIn(body["tools"]);
  for (const [index, tool] of tools.entries()) {
    if (typeOf(tool) !== "function") continue;
    const extra = unknownField(tool, FUNCTION_TOOL_FIELDS);
    if (extra !== undefined) return openaiUnknown(`tools[${index}].${extra}`);
    const wrong = openaiName(tool["name"], `tools[${index}].name`);
    if (wrong) return wrong;
  }
  for (const [index, item] of objectsIn(body["input"]).entries()) {
    const known = isCall(item) ? FUNCTION_CALL_FIELDS : isOutput(item) ? FUNCTION_OUTPUT_FIELDS : undefined;
    const extra = known && unknownField(item, known);
    if (extra !== undefined) return openaiUnknown(`input[${index}].${extra}`);
  }
  // Assumption M3.
  const chosen = field(body["tool_choice"], "name");
  if (!isString(chosen) || tools.some((tool) => tool["name"] === chosen)) return undefined;
  return { message: `Tool choice '${chosen}' not found in 'tools' parameter.`, param: "tool_choice" };
}

/** A request may refer to responses and items that the service has kept. */
function referenceRejection(
  body: Json,
  stored: ReadonlyMap<string, unknown>,
  items: ReadonlyMap<string, unknown>,
): Rejection | undefined {
  const previous = body["previous_response_id"];
  if (isString(previous) && !stored.has(previous)) {
    const code = "previous_response_not_found";
    return { message: `Previous response with id '${previous}' not found.`, param: "previous_response_id", code };
  }
  const input = inputOf(body);
  const lost = input.map(referenced).find((id) => id !== undefined && !items.has(id));
  if (lost !== undefined) return { status: 404, message: `Item with id '${lost}' not found.`, param: "input" };
  if (input.length > 0 || isString(previous) || isObject(body["prompt"]) || body["conversation"]) return undefined;
  return openaiMissing("input");
}

/** Every call has one output, every output its call, and no item is there twice. */
function callRejection(
  input: readonly Json[],
  conversation: readonly Json[],
  repeated: RepeatedIds,
): Rejection | undefined {
  const inInput = (message: string): Rejection => ({ message, param: "input" });
  const twice = duplicateOf(input.map((item) => textOf(item, "id")));
  if (twice !== undefined) {
    return inInput(`Duplicate item found with id ${twice}. Remove duplicate items from your input and try again.`);
  }
  const calls = conversation.filter(isCall);
  const outputs = conversation.filter(isOutput);
  const count = (items: readonly Json[], id: string) => items.filter((item) => callId(item) === id).length;
  const orphan = outputs.map(callId).find((id) => count(calls, id) === 0);
  if (orphan !== undefined) return inInput(`No tool call found for function call output with call_id ${orphan}.`);
  const missing = calls.map(callId).find((id) => count(outputs, id) < count(calls, id));
  if (missing !== undefined) return inInput(`No tool output found for function call ${missing}.`);
  // Assumption M2: the words for these two.
  const again =
    duplicateOf(calls.map(callId), repeated) ?? outputs.map(callId).find((id) => count(outputs, id) > count(calls, id));
  if (again !== undefined) return inInput(`Duplicate function call or output found with call_id ${again}.`);
  const callers = new Map(calls.map((call) => [callId(call), field(call["caller"], "caller_id")]));
  const wrong = outputs.find((output) => callers.get(callId(output)) !== field(output["caller"], "caller_id"));
  return wrong && inInput(`The caller of the output of ${callId(wrong)} isn't the caller of its call.`);
}

function responseOf({ text, calls, isIncomplete }: MadeTurn, turnNumber: number, body: Json): Json {
  const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
  const status = isIncomplete ? "incomplete" : "completed";
  const message = { id: `msg_${turnNumber}`, type: "message", role: "assistant", status: "completed", content };
  const made = calls.map((call, index) => ({
    id: `fc_${turnNumber}_${index}`,
    type: "function_call",
    call_id: call.id,
    name: call.name,
    arguments: argumentsText(call.arguments),
    status: index === calls.length - 1 ? status : "completed",
    ...(call.program !== undefined && { caller: { type: "program", caller_id: call.program } }),
  }));
  return {
    id: `resp_${crypto.randomUUID().replaceAll("-", "")}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1_000),
    status,
    error: null,
    incomplete_details: isIncomplete ? { reason: "max_output_tokens" } : null,
    instructions: null,
    model: body["model"],
    output: text === undefined ? made : [message, ...made],
    parallel_tool_calls: true,
    previous_response_id: body["previous_response_id"] ?? null,
    tools: body["tools"] ?? [],
    tool_choice: body["tool_choice"] ?? "auto",
    metadata: {},
    temperature: 1,
    top_p: 1,
    usage: {
      input_tokens: 1,
      output_tokens: 1,
      total_tokens: 2,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
}
