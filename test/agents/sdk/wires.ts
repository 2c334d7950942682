import type { ScriptedCall, ScriptedTurn, SeenRequest } from "./model-server.js";

// biome-ignore lint/suspicious/noExplicitAny: the bodies of four wires, read field by field; a wrong one shows in a test.
type Body = Record<string, any>;
type Answer = SeenRequest["answers"][number];

/** How one provider writes requests and responses. */
export interface Wire {
  matches(path: string): boolean;
  /** The answers that a request adds to the last turn. */
  answersIn(body: Body): Answer[];
  /** The ids of the calls of the last turn, as the request repeats them. */
  callsIn(body: Body): string[];
  /** Why the real service would reject it. */
  problem(body: Body, calls: readonly string[]): string | undefined;
  whole(turn: ScriptedTurn, turnNumber: number): object;
  streamed(turn: ScriptedTurn, turnNumber: number): string[];
}

const written = (args: unknown) => (typeof args === "string" ? args : JSON.stringify(args));
/** Streams come in pieces that break anywhere. */
const pieces = (text: string) => text.match(/[\s\S]{1,7}/g) ?? [];
const idOf = (call: ScriptedCall, turn: number, index: number) => call.id ?? `call_${turn}_${index}`;
const event = (data: Body, named = true) =>
  `${named && data["type"] ? `event: ${data["type"]}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

function unanswered(calls: readonly string[], answers: readonly Answer[]): string | undefined {
  const count = (ids: readonly string[], id: string) => ids.filter((other) => other === id).length;
  const answered = answers.map(({ id }) => id);
  const missing = calls.find((id) => count(answered, id) !== count(calls, id));
  return missing === undefined ? undefined : `No tool output found for function call ${missing}, or more than one.`;
}

/** The items after the last one that isn't a call or a result. */
function lastTurn<Item>(items: readonly Item[], isOfTurn: (item: Item) => boolean): Item[] {
  const end = items.findLastIndex((item) => !isOfTurn(item));
  return items.slice(end + 1);
}

const isOutput = ({ type }: Body) => type === "function_call_output";
const outputOf = ({ call_id, output }: Body): Answer => ({ id: call_id, text: textOf(output), isError: undefined });

const responses: Wire = {
  matches: (path) => path.endsWith("/responses"),
  answersIn: ({ input }) => lastTurn(items(input), isOutput).map(outputOf),
  callsIn: ({ input }) =>
    items(input)
      .filter(({ type }) => type === "function_call")
      .map(({ call_id }) => call_id),
  problem(body, calls) {
    const answers = items(body["input"]).filter(isOutput).map(outputOf);
    const orphan = answers.find(({ id }) => !calls.includes(id));
    if (orphan && body["previous_response_id"] === undefined)
      return `No tool call found for function call output with call_id ${orphan.id}.`;
    const callers = new Map(items(body["input"]).flatMap(({ call_id, caller }) => (caller ? [[call_id, caller]] : [])));
    const outputs = items(body["input"]).filter(isOutput);
    const isWrong = outputs.some(({ call_id, caller }) => callers.get(call_id)?.caller_id !== caller?.caller_id);
    return isWrong ? "The output of a program's call has another caller." : unanswered(calls, answers);
  },
  whole: (turn, number) => responseOf(turn, number),
  streamed(turn, number) {
    const response = responseOf(turn, number);
    let sequence_number = 0;
    const say = (data: Body) => event({ ...data, sequence_number: sequence_number++ });
    const parts = [
      say({ type: "response.created", response: { ...response, status: "in_progress", output: [] } }),
      say({ type: "response.in_progress", response: { ...response, status: "in_progress", output: [] } }),
    ];
    response.output.forEach((item, output_index) => {
      const at = { item_id: item.id, output_index };
      if (item.type === "function_call") {
        parts.push(
          say({
            type: "response.output_item.added",
            output_index,
            item: { ...item, arguments: "", status: "in_progress" },
          }),
        );
        for (const delta of pieces(item.arguments))
          parts.push(say({ type: "response.function_call_arguments.delta", ...at, delta }));
        parts.push(
          say({ type: "response.function_call_arguments.done", ...at, name: item.name, arguments: item.arguments }),
        );
      } else {
        const [part] = item.content;
        parts.push(
          say({
            type: "response.output_item.added",
            output_index,
            item: { ...item, content: [], status: "in_progress" },
          }),
        );
        parts.push(say({ type: "response.content_part.added", ...at, content_index: 0, part: { ...part, text: "" } }));
        for (const delta of pieces(part?.text ?? "")) {
          parts.push(say({ type: "response.output_text.delta", ...at, content_index: 0, delta, logprobs: [] }));
        }
        parts.push(say({ type: "response.output_text.done", ...at, content_index: 0, text: part?.text, logprobs: [] }));
        parts.push(say({ type: "response.content_part.done", ...at, content_index: 0, part }));
      }
      parts.push(say({ type: "response.output_item.done", output_index, item }));
    });
    const type = turn.isTruncated ? "response.incomplete" : "response.completed";
    return [...parts, say({ type, response })];
  },
};

type OutputItem =
  | { id: string; type: "function_call"; call_id: string; name: string; arguments: string; status: string }
  | {
      id: string;
      type: "message";
      role: "assistant";
      status: string;
      content: { type: "output_text"; text: string; annotations: [] }[];
    };

function responseOf({ text, calls = [], isTruncated = false }: ScriptedTurn, number: number) {
  const message: OutputItem[] =
    text === undefined
      ? []
      : [
          {
            id: `msg_${number}`,
            type: "message",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          },
        ];
  const made = calls.map((call, index): OutputItem => {
    const status = isTruncated && index === calls.length - 1 ? "incomplete" : "completed";
    return {
      id: `fc_${number}_${index}`,
      type: "function_call",
      call_id: idOf(call, number, index),
      name: call.name,
      arguments: written(call.arguments),
      status,
      ...(call.program !== undefined && { caller: { type: "program", caller_id: call.program } }),
    };
  });
  return {
    id: `resp_${number}`,
    object: "response",
    created_at: 1_760_000_000,
    status: isTruncated ? "incomplete" : "completed",
    error: null,
    incomplete_details: isTruncated ? { reason: "max_output_tokens" } : null,
    instructions: null,
    model: "scripted",
    output: [...message, ...made],
    parallel_tool_calls: true,
    tools: [],
    tool_choice: "auto",
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

const chat: Wire = {
  matches: (path) => path.endsWith("/chat/completions"),
  answersIn: ({ messages }) =>
    lastTurn(items(messages), ({ role }) => role === "tool").map(({ tool_call_id, content }) => ({
      id: tool_call_id,
      text: textOf(content),
      isError: undefined,
    })),
  callsIn: ({ messages }) =>
    (items(messages).findLast(({ role }) => role === "assistant")?.["tool_calls"] ?? []).map(
      (call: Body) => call["id"],
    ),
  problem(body, calls) {
    return unanswered(calls, this.answersIn(body));
  },
  whole: ({ text, calls = [], isTruncated }, number) => {
    const tool_calls = calls.map((call, index) => ({
      id: idOf(call, number, index),
      type: "function",
      function: { name: call.name, arguments: written(call.arguments) },
    }));
    const message = {
      role: "assistant",
      content: text ?? null,
      refusal: null,
      ...(calls.length > 0 && { tool_calls }),
    };
    return completion(number, "chat.completion", {
      index: 0,
      message,
      logprobs: null,
      finish_reason: finishOf(calls, isTruncated),
    });
  },
  streamed: ({ text, calls = [], isTruncated }, number) => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      event(completion(number, "chat.completion.chunk", { index: 0, delta, logprobs: null, finish_reason }), false);
    const parts = [chunk({ role: "assistant", content: text === undefined ? null : "" })];
    for (const content of pieces(text ?? "")) parts.push(chunk({ content }));
    calls.forEach((call, index) => {
      parts.push(
        chunk({
          tool_calls: [
            { index, id: idOf(call, number, index), type: "function", function: { name: call.name, arguments: "" } },
          ],
        }),
      );
    });
    // Parallel calls arrive interleaved.
    const rest = calls.map((call, index) =>
      pieces(written(call.arguments)).map((args) => ({ index, function: { arguments: args } })),
    );
    for (let step = 0; rest.some((each) => step < each.length); step++) {
      for (const each of rest) if (each[step]) parts.push(chunk({ tool_calls: [each[step]] }));
    }
    return [...parts, chunk({}, finishOf(calls, isTruncated)), "data: [DONE]\n\n"];
  },
};

function finishOf(calls: readonly unknown[], isTruncated: boolean | undefined): string {
  if (isTruncated) return "length";
  return calls.length > 0 ? "tool_calls" : "stop";
}

function completion(number: number, object: string, choice: object) {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { id: `chatcmpl_${number}`, object, created: 1_760_000_000, model: "scripted", choices: [choice], usage };
}

const messages: Wire = {
  matches: (path) => path.startsWith("/v1/messages") || path.endsWith("/messages"),
  answersIn: ({ messages: all }) =>
    blocksOf(items(all).at(-1))
      .filter(({ type }) => type === "tool_result")
      .map(({ tool_use_id, content, is_error }) => ({ id: tool_use_id, text: textOf(content), isError: is_error })),
  callsIn: ({ messages: all }) =>
    blocksOf(items(all).findLast(({ role }) => role === "assistant"))
      .filter(({ type }) => type === "tool_use")
      .map(({ id }) => id),
  problem(body, calls) {
    const first = blocksOf(items(body["messages"]).at(-1))[0];
    if (calls.length > 0 && first?.["type"] !== "tool_result")
      return "tool_result blocks must come first in the user message.";
    const asked = blocksOf(items(body["messages"]).findLast(({ role }) => role === "assistant"));
    const odd = asked.find(
      ({ type, input }) => type === "tool_use" && (!input || Array.isArray(input) || input !== Object(input)),
    );
    if (odd) return `tool_use.input: Input should be a valid dictionary: ${odd["id"]}.`;
    const isWaiting = asked.some(({ type, caller }) => type === "tool_use" && caller.type !== "direct");
    if (isWaiting && !body["container"]) return "container_id is required when a program waits.";
    if (items(body["tools"]).some(({ strict, allowed_callers: all = [] }) => strict && all.length > 1))
      return "Programs can't call strict tools.";
    return unanswered(calls, this.answersIn(body));
  },
  whole: (turn, number) => messageOf(turn, number, contentOf(turn, number)),
  streamed(turn, number) {
    const parts = [event({ type: "message_start", message: { ...messageOf(turn, number, []), stop_reason: null } })];
    contentOf(turn, number).forEach((block, index) => {
      const isText = block["type"] === "text";
      const call = turn.calls?.find((made, at) => idOf(made, number, at) === block["id"]);
      parts.push(
        event({
          type: "content_block_start",
          index,
          content_block: isText ? { ...block, text: "" } : { ...block, input: {} },
        }),
      );
      for (const piece of pieces(isText ? String(block["text"]) : written(call?.arguments))) {
        const delta = isText ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece };
        parts.push(event({ type: "content_block_delta", index, delta }));
      }
      parts.push(event({ type: "content_block_stop", index }));
    });
    const { stop_reason } = messageOf(turn, number, []);
    parts.push(
      event({
        type: "message_delta",
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: 1 },
      }),
    );
    return [...parts, event({ type: "message_stop" })];
  },
};

function contentOf({ text, calls = [] }: ScriptedTurn, number: number): Body[] {
  const made = calls.map((call, index) => {
    // Whole messages are parsed by the service: it has no broken JSON to give.
    const input = typeof call.arguments === "string" ? {} : call.arguments;
    const caller = call.program ? { type: "code_execution_20260120", tool_id: call.program } : { type: "direct" };
    return { type: "tool_use", id: idOf(call, number, index), name: call.name, input, caller };
  });
  return text === undefined ? made : [{ type: "text", text, citations: null }, ...made];
}

function messageOf({ calls = [], isTruncated }: ScriptedTurn, number: number, content: Body[]) {
  const finished = calls.length > 0 ? "tool_use" : "end_turn";
  return {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    content,
    stop_reason: isTruncated ? "max_tokens" : finished,
    stop_sequence: null,
    container: calls.some(({ program }) => program) ? { id: "container_1", expires_at: "2026-12-01T00:00:00Z" } : null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

const gemini: Wire = {
  matches: (path) => path.includes("enerateContent"),
  answersIn: ({ contents }) =>
    partsOf(items(contents).at(-1))
      .filter(({ functionResponse }) => functionResponse)
      .map(({ functionResponse: { id, name, response } }) => ({
        id: id ?? name,
        text: response.output ?? response.error,
        isError: "error" in response,
      })),
  callsIn: ({ contents }) =>
    partsOf(items(contents).findLast(({ role }) => role === "model"))
      .filter(({ functionCall }) => functionCall)
      .map(({ functionCall: { id, name } }) => id ?? name),
  problem(body, calls) {
    const answers = this.answersIn(body);
    if (answers.length !== calls.length)
      return "The number of function response parts must equal that of function call parts.";
    if (answers.some(({ id }, index) => id !== calls[index]))
      return "Function responses must be in the order of the calls.";
    const first = partsOf(items(body["contents"]).findLast(({ role }) => role === "model")).find(
      ({ functionCall }) => functionCall,
    );
    return first && first["thoughtSignature"] === undefined
      ? "Function call is missing a thought_signature."
      : undefined;
  },
  whole: (turn, number) => candidates(partsOfTurn(turn, number), turn, number),
  streamed: (turn, number) => {
    const parts = partsOfTurn(turn, number);
    return parts.map((part, index) => event(candidates([part], turn, number, index === parts.length - 1), false));
  },
};

function partsOfTurn({ text, calls = [] }: ScriptedTurn, number: number): Body[] {
  const made = calls.map((call, index) => ({
    functionCall: { ...(call.id !== "" && { id: idOf(call, number, index) }), name: call.name, args: call.arguments },
    ...(index === 0 && { thoughtSignature: "c2lnbmVk" }),
  }));
  return text === undefined ? made : [{ text }, ...made];
}

function candidates(parts: Body[], { isTruncated }: ScriptedTurn, number: number, isLast = true): object {
  const finishReason = isTruncated ? "MAX_TOKENS" : "STOP";
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...(isLast && { finishReason }) }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: "scripted",
    responseId: `resp_${number}`,
  };
}

function items(value: unknown): Body[] {
  return Array.isArray(value) ? value : [];
}

function blocksOf(message: Body | undefined): Body[] {
  return items(message?.["content"]);
}

function partsOf(content: Body | undefined): Body[] {
  return items(content?.["parts"]);
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return items(value)
    .map(({ text }) => text ?? "")
    .join("");
}

export const wires: readonly Wire[] = [responses, chat, messages, gemini];
