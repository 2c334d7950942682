// The room of the scripted model: a server that speaks the APIs of model providers, with answers from a script or
// from a sample model. It imports `src/emulator` for sample arguments, `src/json-schema` and `src/webhooks`. Start
// here, then `wire.ts`.

import * as option from "../../errors/option-rules.js";
import { isObject } from "../../shared/json.js";
import { wellFormed } from "../../shared/well-formed.js";
import { anthropicWire } from "./anthropic.js";
import { googleWire } from "./google.js";
import { openaiWire } from "./openai.js";
import { openaiChatWire } from "./openai-chat.js";
import { responseOf } from "./responses.js";
import { type AnyTurn, checkedTurn, Script } from "./script.js";
import type {
  AnswerRequest,
  ModelProvider,
  ModelRequest,
  ModelServer,
  ModelTurn,
  ScriptedTurn,
  ServeOptions,
} from "./types.js";
import type { MadeTurn, Rejection, Wire } from "./wire.js";

/** Options for {@link scriptedModel}. */
export interface ScriptedModelOptions {
  /** The API that the model speaks. Defaults to all of them, chosen by the request's path. */
  readonly provider?: ModelProvider | undefined;
  /** A turn for each request, in order, or a function that returns a turn for any request. */
  readonly turns: readonly ScriptedTurn[] | ((request: ModelRequest) => AnyTurn);
}

/** A model that answers with a script. */
export interface ScriptedModel {
  /** For the `fetch` option of the provider's client. No request leaves the process. */
  readonly fetch: AnswerRequest;
  /** The received requests, including rejected requests, oldest first. */
  readonly requests: readonly ModelRequest[];
  /**
   * Listens on a port, for programs and libraries that take no `fetch`. Needs Node, Bun or Deno.
   *
   * @throws {ConfigError} if the port is taken or an option is invalid.
   */
  serve(options?: ServeOptions): Promise<ModelServer>;
}

const OPTIONS = {
  provider: option.oneOf("openai", "openai-chat", "anthropic", "google"),
  turns: option.required(option.either(option.ARRAY, option.FUNCTION)),
} as const satisfies option.Rules<ScriptedModelOptions>;

/**
 * Creates a model that follows a script, to test an agent without a key, a network or randomness. It speaks the
 * provider's own API, whole or streamed, and rejects invalid requests with the provider's errors: a call without its
 * output, a repeated id, half of a surrogate pair, an empty turn, an unknown field.
 *
 * ```ts
 * const model = scriptedModel({
 *   provider: "openai",
 *   turns: [{ calls: [call(7)] }, { calls: [call("It broke")] }, "I opened issue 1."],
 * });
 * const client = new OpenAI({ apiKey: "none", fetch: model.fetch });
 * ```
 *
 * @throws {ConfigError} if an option or a turn is invalid.
 */
export function scriptedModel(given: ScriptedModelOptions): ScriptedModel {
  const { provider, turns } = option.checkAll("scriptedModel", given, OPTIONS);
  const script = new Script(turns);
  const wires = [openaiWire(), openaiChatWire(), anthropicWire(), googleWire()].filter(
    (wire) => provider === undefined || wire.provider === provider,
  );
  const model = new Model(wires, script);
  const fetch: AnswerRequest = (input, init) => model.answer(new Request(input, init));
  return {
    fetch,
    requests: model.requests,
    serve: async (options) => (await import("./serve.js")).serveModel(fetch, options),
  };
}

/** Reads requests, and answers them from the script. */
class Model {
  readonly requests: ModelRequest[] = [];
  readonly #wires: readonly Wire[];
  readonly #script: Script;
  /** Ids of calls, and whether the script has given them more than once. */
  readonly #issued = new Set<string>();
  readonly #repeated = new Set<string>();
  #turnNumber = 0;

  constructor(wires: readonly Wire[], script: Script) {
    this.#wires = wires;
    this.#script = script;
  }

  async answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const path = pathname + search;
    const wire = request.method === "POST" ? this.#wires.find(({ matches }) => matches(path)) : undefined;
    if (!wire) return notServed(request.method, path, this.#wires);
    const body = parsedText(await request.text());
    request.signal.throwIfAborted();
    const rejection = this.#rejection(wire, request, path, body);
    const read = isObject(body) ? wire.read(body) : { prompt: "", tools: [], outputs: [] };
    const seen = {
      provider: wire.provider,
      path,
      body: isObject(body) ? body : {},
      isStream: isObject(body) && wire.isStream(path, body),
      ...read,
      problem: rejection?.message,
    };
    this.requests.push(seen);
    if (rejection) return errorOf(wire, rejection);
    const turn = await this.#script.next(seen);
    if (turn) return this.#respond(wire, seen, checkedTurn(turn));
    const problem = `scriptedModel: no turn is left for request ${this.requests.length}. Add a turn to the script.`;
    this.requests.splice(this.requests.indexOf(seen), 1, { ...seen, problem });
    return errorOf(wire, { message: problem });
  }

  #rejection(wire: Wire, { headers }: Request, path: string, body: unknown): Rejection | undefined {
    if (!wire.hasKey(headers, path)) return wire.unauthorized;
    if (!isObject(body) || wellFormed(body) !== body) return wire.notJson;
    return wire.rejection(body, this.#repeated);
  }

  #respond(wire: Wire, { body, isStream }: ModelRequest, turn: ModelTurn): Response {
    if (turn.failure !== undefined) return errorOf(wire, wire.failures[turn.failure]);
    this.#turnNumber += 1;
    const made = this.#made(wire, turn);
    const whole = wire.whole(made, this.#turnNumber, body);
    wire.remember?.(body, whole);
    return isStream
      ? responseOf(wire.events(whole, made), "text/event-stream", turn.cutAfter)
      : responseOf(whole, "application/json", turn.cutAfter);
  }

  #made(wire: Wire, { text, calls = [], isIncomplete = false }: ModelTurn): MadeTurn {
    const made = calls.map(({ id, name, arguments: args, program }) => {
      return { id: id ?? newId(wire), name, arguments: args, program };
    });
    for (const { id } of made) (this.#issued.has(id) ? this.#repeated : this.#issued).add(id);
    return { text, calls: made, isIncomplete };
  }
}

const newId = ({ callPrefix }: Wire) => `${callPrefix}${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;

/** `undefined` isn't JSON. */
function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notServed(method: string, path: string, wires: readonly Wire[]): Response {
  const served = wires.map(({ provider }) => provider).join(", ");
  const message = `scriptedModel: ${method} ${path} isn't a request of ${served}.`;
  return Response.json({ error: { message, type: "invalid_request_error", param: null, code: null } }, { status: 404 });
}

function errorOf(wire: Wire, rejection: Rejection): Response {
  // The official clients read this header: a test shouldn't wait for their retries.
  const headers = { "retry-after-ms": "1" };
  return Response.json(wire.errorBody(rejection), { status: rejection.status ?? 400, headers });
}
