import type { DeferOption } from "../../src/agents/adapters/adapter-options.js";
import type {
  CallResult,
  ResumeOptions,
  RunOptions,
  StreamOptions,
  Toolset,
  TurnFacts,
  TurnTicket,
} from "../../src/agents/index.js";
import type { OptionsCase } from "../errors/options-case.js";

// biome-ignore lint/suspicious/noExplicitAny: libraries of many makers, read field by field; a wrong one shows in a test.
export type Any = any;

/** `adapters` of test/agents/adapters/<entry>.ts: the adapters of an entry, by name. */
export interface AdaptersUnderTest {
  /** Its page in docs/guide, with the two cells of its row in the index, and the packages of its library. */
  readonly guide: {
    readonly page: string;
    readonly title: string;
    readonly about: string;
    readonly packages: readonly string[];
  };
  /** Adapters whose library runs the calls. */
  readonly libraries?: Readonly<Record<string, LibraryAdapter>>;
  /** Adapters whose `run` takes a response. */
  readonly turns?: { readonly [Name in TurnTicket["adapter"]]?: TurnAdapter };
  /** Its functions that take options, by name. */
  options(tools: Toolset): Readonly<Record<string, OptionsCase>>;
}

/** An adapter: what it shows a model, and the text with which it answers a call. */
export interface LibraryAdapter {
  /** Whether it gets a call's arguments as text, with all digits. Others get them parsed. */
  readonly passesText: boolean;
  shown(tools: Toolset): unknown;
  run(tools: Toolset, name: string, args: object): Promise<string>;
}

/** The calls of a turn: id and arguments of each, and the tool, by default one that counts words. */
export type Calls = readonly (readonly [id: string | undefined, args: object, name?: string])[];

/** An adapter with its toolset, without the types of its library. */
export interface MadeForTurns {
  readonly definitions: readonly object[];
  run(response: object, options?: RunOptions | StreamOptions<object>): Promise<TurnFacts<unknown>>;
  resume(
    ticket: TurnTicket,
    options?: ResumeOptions,
  ): Promise<TurnFacts<unknown> & { readonly conversation: readonly unknown[] }>;
}

/** An adapter whose `run` takes a response: how its provider writes a turn, and what it must keep of one. */
export interface TurnAdapter {
  create(tools: Toolset, options?: DeferOption): MadeForTurns;
  /** Whether the provider writes a call's arguments as text, with all digits. Others write JSON, which is parsed. */
  readonly passesText: boolean;
  /** The list by which `run` recognizes a response. */
  readonly list: string;
  /** How many tools a request may have, by the provider's guide. */
  readonly mostTools: number;
  /** The end of the advice in the error for more tools. */
  readonly advice: string;
  /**
   * The search in deferred tools: `find_tools` of this package, which counts as a tool, or the provider's. The provider's
   * tools then count all, or only those that aren't deferred.
   */
  readonly search: "find_tools" | "counts all" | "counts shown";
  /** The list of tools in the definitions, to which a search adds. */
  offered(definitions: readonly object[]): readonly object[];
  nameOf(tool: object): string;
  /** A complete response with calls. */
  response(id: string | undefined, calls: Calls): object;
  /** A response whose text a limit has cut off, whole and as a stream, and the provider's reason. */
  readonly cut: { readonly response: object; readonly events: readonly object[]; readonly reason: string };
  /** A complete response with text. */
  readonly said: object;
  /** The response of what `run` returned for the conversation. */
  stored(turn: object): object;
  /** The ids of calls and of results in what `run` returned. */
  ids(turn: object): unknown;
  /** A program that uses the provider's own client, at the URL of a model. */
  program(url: string): ProviderProgram;
}

/** The code of a program for one provider. */
export interface ProviderProgram {
  /** Asks the model, runs its calls, and suspends the turn. */
  suspend(tools: Toolset, stream?: boolean): Promise<{ readonly results: CallResult[]; readonly ticket: TurnTicket }>;
  resume(tools: Toolset, ticket: string, options?: ResumeOptions): Promise<Continued>;
  /** Starts a stream, and runs its calls, until the signal aborts. */
  stream(tools: Toolset, signal: AbortSignal): Promise<unknown>;
}

/** A resumed turn, and the text of the model's next turn. */
interface Continued {
  readonly turn: TurnFacts<unknown>;
  goOn(): Promise<string>;
}

/** The message of the user in each program. */
export const PROMPT = "Do it.";

/** The results and the ticket of a turn that a program suspends. */
export async function suspended(
  turn: TurnFacts<unknown>,
  conversation: readonly object[],
): Promise<{ readonly results: CallResult[]; readonly ticket: TurnTicket }> {
  return { results: turn.results, ticket: await turn.suspend(conversation) };
}

/** The text of a message that a limit has cut off. */
export const CUT_TEXT = "Half a sen";

/** The end of the advice to an adapter that can defer tools. */
export const DEFER_ADVICE = ", or let the model search them with the option defer";

/** A tool with its schema as JSON. */
export function withSchema([name, { inputSchema, ...tool }]: [string, Any]): unknown {
  return { name, ...tool, schema: inputSchema["~standard"].jsonSchema.input({ target: "draft-2020-12" }) };
}

/** The tool of a list that has a name. */
export const named = (tools: readonly Any[], name: string) => tools.find((tool) => tool.name === name);

/** Options of an adapter's `run`: how they are read matters, so it runs no calls. */
export const runOptions = (
  made: { run(response: never, options?: never): unknown },
  response: object,
): OptionsCase => ({
  call: (options) => made.run(response as never, options),
  good: { dryRun: true },
  wrong: { dryRun: "yes" },
});
