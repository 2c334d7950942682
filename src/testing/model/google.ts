import { field, isObject, isString, type Json, textOf } from "../../shared/json.js";
import type { ModelOutput, OfferedTool } from "./types.js";
import {
  argumentsText,
  contentText,
  duplicateOf,
  type MadeTurn,
  objectsIn,
  offered,
  type Rejection,
  type RepeatedIds,
  sse,
  unknownField,
  type Wire,
  words,
} from "./wire.js";

// The names that @google/genai 3.3.0 sends, and those of its declarations, assumption M1.
const GENERATE_FIELDS = words(
  "contents generationConfig cachedContent labels safetySettings serviceTier systemInstruction toolConfig tools model",
);
export const PART_FIELDS = words(
  "mediaResolution toolCall toolResponse audioTranscription codeExecutionResult executableCode fileData functionCall functionResponse inlineData text thought thoughtSignature videoMetadata partMetadata mediaProcessing speechMetadata",
);
export const DECLARATION_FIELDS = words(
  "behavior description name parameters parametersJsonSchema response responseJsonSchema",
);
export const FUNCTION_CALL_PART_FIELDS = words("args id name partialArgs willContinue");
export const FUNCTION_RESPONSE_FIELDS = words("id name parts response scheduling willContinue");

const STATUSES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

const partsOf = (content: Json | undefined) => objectsIn(content?.["parts"]);
const inParts = (content: Json | undefined, name: "functionCall" | "functionResponse") =>
  partsOf(content)
    .map((part) => part[name])
    .filter(isObject);
/** Calls have no id, or one that their response repeats. */
const identity = (call: Json) => textOf(call, "id") || textOf(call, "name");

/** Gemini's `generateContent` and `streamGenerateContent`. */
export function googleWire(): Wire {
  return {
    provider: "google",
    callPrefix: "call_",
    matches: (path) => /:(streamG|g)enerateContent(\?|$)/.test(path),
    isStream: (path) => path.includes(":streamGenerateContent"),
    hasKey: (headers, path) => headers.has("x-goog-api-key") || headers.has("authorization") || /[?&]key=./.test(path),
    read: readOf,
    rejection: (body, repeated) => fieldRejection(body) ?? contentRejection(body) ?? callRejection(body, repeated),
    notJson: { message: "Invalid JSON payload received." },
    unauthorized: {
      status: 401,
      message: "Request is missing required authentication credential.",
    },
    failures: {
      overloaded: { status: 503, message: "The model is overloaded. Please try again later." },
      rate_limited: { status: 429, message: "Resource has been exhausted (e.g. check quota)." },
      server_error: { status: 500, message: "An internal error has occurred." },
    },
    errorBody: ({ status = 400, message }) => ({
      error: { code: status, message, status: STATUSES[status] ?? "INVALID_ARGUMENT" },
    }),
    whole: responseOf,
    events: eventsOf,
  };
}

const contentsOf = ({ contents }: Json) => (isObject(contents) ? [contents] : objectsIn(contents));

function readOf(body: Json) {
  const contents = contentsOf(body);
  const outputs = inParts(contents.at(-1), "functionResponse").map((made): ModelOutput => {
    const { response } = made;
    const isError = isObject(response) && "error" in response;
    return {
      id: identity(made),
      text: argumentsText(field(response, "output") ?? field(response, "error") ?? response),
      isError: isError ? true : undefined,
    };
  });
  const asked = contents.findLast((content) => content["role"] !== "model" && contentText(content["parts"]) !== "");
  return { prompt: contentText(asked?.["parts"]), tools: declarationsIn(body).map(declared), outputs };
}

const declarationsIn = (body: Json) =>
  objectsIn(body["tools"]).flatMap((tool) => objectsIn(tool["functionDeclarations"]));

function declared(declaration: Json): OfferedTool {
  return offered(declaration, isObject(declaration["parametersJsonSchema"]) ? "parametersJsonSchema" : "parameters");
}

function unknownName(value: Json, known: readonly string[], at: string): Rejection | undefined {
  const name = unknownField(value, known);
  if (name === undefined) return undefined;
  const where = at === "" ? "" : ` at '${at}'`;
  return { message: `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.` };
}

function fieldRejection(body: Json): Rejection | undefined {
  const unknown = unknownName(body, GENERATE_FIELDS, "");
  if (unknown) return unknown;
  for (const [at, tool] of objectsIn(body["tools"]).entries()) {
    for (const [index, declaration] of objectsIn(tool["functionDeclarations"]).entries()) {
      const place = `tools[${at}].function_declarations[${index}]`;
      const extra = unknownName(declaration, DECLARATION_FIELDS, place);
      if (extra) return extra;
      if (!/^[A-Za-z_][\w.:-]{0,127}$/.test(textOf(declaration, "name"))) {
        return { message: `* GenerateContentRequest.${place}.name: Invalid function name.` };
      }
    }
  }
  const names = declarationsIn(body).map((declaration) => textOf(declaration, "name"));
  const twice = duplicateOf(names);
  if (twice !== undefined) return { message: `Duplicate function declaration found: ${twice}` };
  const allowed = field(field(body["toolConfig"], "functionCallingConfig"), "allowedFunctionNames");
  const strange = (Array.isArray(allowed) ? allowed : []).find((name) => !names.includes(String(name)));
  return strange === undefined
    ? undefined
    : { message: `allowed_function_names contains a function that isn't declared: ${String(strange)}` };
}

function contentRejection(body: Json): Rejection | undefined {
  const contents = contentsOf(body);
  if (contents.length === 0) return { message: "* GenerateContentRequest.contents: contents is not specified" };
  for (const [at, content] of contents.entries()) {
    if (content["role"] !== undefined && !["user", "model"].includes(textOf(content, "role"))) {
      return { message: "Please use a valid role: user, model." };
    }
    const parts = partsOf(content);
    if (parts.length === 0) {
      return { message: `* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.` };
    }
    for (const [index, part] of parts.entries()) {
      const place = `contents[${at}].parts[${index}]`;
      const { functionCall, functionResponse } = part;
      const extra =
        unknownName(part, PART_FIELDS, place) ??
        (isObject(functionCall)
          ? unknownName(functionCall, FUNCTION_CALL_PART_FIELDS, `${place}.function_call`)
          : undefined) ??
        (isObject(functionResponse)
          ? unknownName(functionResponse, FUNCTION_RESPONSE_FIELDS, `${place}.function_response`)
          : undefined);
      if (extra) return extra;
    }
  }
  return undefined;
}

/** The content after one with calls has as many responses, in the order of the calls. */
function callRejection(body: Json, repeated: RepeatedIds): Rejection | undefined {
  const contents = contentsOf(body);
  for (const [at, content] of [...contents, undefined].entries()) {
    const calls = inParts(contents[at - 1], "functionCall");
    const responses = inParts(content, "functionResponse");
    if (responses.length > 0 && calls.length === 0) {
      return { message: "Please ensure that function response turn comes immediately after a function call turn." };
    }
    if (calls.length !== responses.length) {
      return {
        message:
          "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
      };
    }
    // Assumption M2: their order, which the service's own description asks for.
    if (calls.some((call, index) => identity(call) !== identity(responses[index] ?? {}))) {
      return { message: "Please ensure that the function responses are in the order of the function calls." };
    }
  }
  const ids = contents.flatMap((content) => inParts(content, "functionCall").map((call) => textOf(call, "id")));
  const twice = duplicateOf(ids, repeated);
  if (twice !== undefined) return { message: `Duplicate function call id: ${twice}` };
  const turn = contents.slice(
    contents.findLastIndex((content) => contentText(content["parts"]) !== "" && content["role"] !== "model"),
  );
  const unsigned = turn
    .map((content) => partsOf(content).find((part) => isObject(part["functionCall"])))
    .find((part) => part && !isString(part["thoughtSignature"]));
  return (
    unsigned && {
      message:
        "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.",
    }
  );
}

function partsOfTurn({ text, calls }: MadeTurn): Json[] {
  const made = calls.map(({ id, name, arguments: args }, index) => ({
    functionCall: { ...(id !== "" && { id }), name, args: args ?? {} },
    // Only the first call of a turn has one.
    ...(index === 0 && { thoughtSignature: "c2lnbmVk" }),
  }));
  return text === undefined ? made : [{ text }, ...made];
}

function responseOf(turn: MadeTurn, turnNumber: number): Json {
  const finishReason = turn.isIncomplete ? "MAX_TOKENS" : "STOP";
  return {
    candidates: [{ content: { role: "model", parts: partsOfTurn(turn) }, index: 0, finishReason }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: "scripted",
    responseId: `resp_${turnNumber}`,
  };
}

/** Parts arrive whole, and the last one with the reason. */
function eventsOf(whole: Json, turn: MadeTurn): string[] {
  const [candidate = {}] = objectsIn(whole["candidates"]);
  const { finishReason, index } = candidate;
  const parts = partsOfTurn(turn);
  return (parts.length === 0 ? [{ text: "" }] : parts).map((part, at, all) => {
    const isLast = at === all.length - 1;
    const content = { role: "model", parts: [part] };
    return sse({ ...whole, candidates: [{ content, index, ...(isLast && { finishReason }) }] });
  });
}
