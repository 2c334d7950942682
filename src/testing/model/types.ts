/** The API that a scripted model speaks: OpenAI's Responses or Chat Completions, Anthropic's Messages, or Gemini's. */
export type ModelProvider = "openai" | "openai-chat" | "anthropic" | "google";

/** A call that a scripted model makes. */
export interface ModelCall {
  /** The tool's name, as the model was offered it. */
  readonly name: string;
  /** The arguments. A string is sent unchanged, so that it can be broken JSON; Gemini sends objects only. */
  readonly arguments: unknown;
  /** The call's id. By default, a new one. An empty string sends Gemini's calls without an id. */
  readonly id?: string | undefined;
  /** The id of the model's program that makes the call, for OpenAI's Responses and Anthropic. */
  readonly program?: string | undefined;
}

/** One response of a scripted model. */
export interface ModelTurn {
  /** The text before the calls, or the whole response. */
  readonly text?: string | undefined;
  /** The calls, in order. */
  readonly calls?: readonly ModelCall[] | undefined;
  /** Ends as if the output limit had cut off the turn. @default false */
  readonly isIncomplete?: boolean | undefined;
  /**
   * Breaks the connection after this number of the stream's events, or in the middle of a response that isn't a stream.
   */
  readonly cutAfter?: number | undefined;
  /**
   * Fails with the provider's status and error instead: `overloaded` is 503 at OpenAI and Gemini, 529 at Anthropic, and
   * `rate_limited` is 429. The official clients retry these by default, and each attempt takes a turn.
   */
  readonly failure?: "overloaded" | "rate_limited" | "server_error" | undefined;
  /** The number of times that the model gives this turn, with the same ids if the calls have ids. @default 1 */
  readonly repeat?: number | undefined;
}

/** A turn, only its text, or a function that returns a turn for the request. */
export type ScriptedTurn =
  | string
  | ModelTurn
  | ((request: ModelRequest) => string | ModelTurn | Promise<string | ModelTurn>);

/** The output of a call, as a model reads it. */
export interface ModelOutput {
  /** The call's id. Without one at Gemini, the tool's name. */
  readonly id: string;
  /** The text, or JSON for Gemini. */
  readonly text: string;
  /** Whether the output is marked as an error. `undefined` at OpenAI, which has no mark. */
  readonly isError: boolean | undefined;
}

/** A tool that a request offers. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments, as it was sent. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A request that a scripted model received. */
export interface ModelRequest {
  /** The provider whose API was called. */
  readonly provider: ModelProvider;
  /** The URL's path, with the query. */
  readonly path: string;
  /** The parsed body, in the provider's format. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether it asked for a stream. */
  readonly isStream: boolean;
  /** The last text of the user. */
  readonly prompt: string;
  /** The tools that the request offers, without the provider's own. */
  readonly tools: readonly OfferedTool[];
  /** The outputs of the previous turn's calls, in order. */
  readonly outputs: readonly ModelOutput[];
  /** The reason why the model rejected the request; `undefined` if it answered. */
  readonly problem: string | undefined;
}

/** Options for `serve` of a scripted model. */
export interface ServeOptions {
  /** Port to listen on; 0 picks a free one. @default 0 */
  readonly port?: number | undefined;
  /** IP address or name to listen on. @default "127.0.0.1" */
  readonly host?: string | undefined;
}

/** A scripted model on a port. */
export interface ModelServer {
  /** Its URL on this machine, without a path. */
  readonly url: string;
  /**
   * Environment variables with its URL and a key, which the official clients read: `OPENAI_BASE_URL`, `OPENAI_API_KEY`,
   * and the same for Anthropic and Gemini.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Stops listening, and closes open connections. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Answers a request as `fetch` does. */
export type AnswerRequest = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
