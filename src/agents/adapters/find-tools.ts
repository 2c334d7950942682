import { loadPart } from "../../errors/base.js";
import { ConfigError } from "../../errors/local.js";
import { fitsStructure } from "../../json-schema/fit/fits-structure.js";
import { didYouMean } from "../../shared/nearest-name.js";
import type { ToolCall } from "../agent-tool.js";
import { parsedArguments } from "../call/arguments.js";
import * as messages from "../call/messages.js";
import { type CallResult, type Ending, NO_RESULT, type RunCalls } from "../call-result.js";
import type { RunOptions } from "../run-options.js";
import type { CompiledToolset } from "../schema/compile-toolset.js";
import type { CompiledTool } from "../schema/compiled-tool.js";
import type { Toolset } from "../toolset.js";
import {
  type DeferOption,
  type Searching,
  type ShownTool,
  type StrictOption,
  shownAtFirst,
} from "./adapter-options.js";
import { checkCount } from "./calls.js";
import type { TurnTicket } from "./ticket.js";

/** Adds the definition of a tool, unless it is there. False if the provider doesn't take more. */
type Add = (tool: CompiledTool) => boolean;

/** A model chooses well among few. */
const MOST_RESULTS = 5;
/** Of the found definitions together. The best match is found whatever its size. */
const MOST_CHARACTERS = 24_000;
/** A model needs a few words. The time of a search grows with them. */
const MOST_QUERY_CHARACTERS = 500;
const MOST_MISSPELT = 5;

/** How much a word in a tool's name or toolkit counts, and one in its description. */
const IN_NAME = 4;
const IN_DESCRIPTION = 1;

const FILLERS = new Set("a an and by for from in is it me my of on or that the this to tool tools with".split(" "));

interface OfferedDefinitions<Definition> {
  readonly definitions: Definition[];
  readonly run: RunCalls;
  /** The tools of the toolset whose definitions the model has now. */
  readonly shown: Iterable<CompiledTool>;
  /** Adds the tools that the model has found before, in another process. */
  show(names: readonly string[]): void;
}

/**
 * The definitions that a model gets of a toolset, and the way its calls are run. If tools are deferred, one more tool
 * finds them. Found tools are added at the end, because providers cache a request up to the first difference.
 *
 * @throws {ConfigError} if the provider doesn't take so many definitions, or a tool has the name of the search.
 */
export function definitionsOf<Definition>(
  adapter: TurnTicket["adapter"],
  tools: Toolset,
  compiled: CompiledToolset,
  options: DeferOption & StrictOption,
  define: (tool: ShownTool) => Definition,
): OfferedDefinitions<Definition> {
  const { shown, searching } = shownAtFirst(tools, compiled, options);
  const most = checkCount(adapter, shown.length + (searching ? 1 : 0));
  const definitions = shown.map(define);
  if (!searching) return { definitions, run: compiled.run, shown, show: () => undefined };
  const { finder } = searching;
  const isTaken = compiled.tools.some(({ name }) => name === finder.name);
  if (isTaken)
    throw new ConfigError(`${adapter}: a tool is named ${finder.name}, like the search of defer. Rename it.`);
  definitions.push(define(finder));
  const added = new Set(shown);
  const add = (tool: CompiledTool) => {
    if (added.has(tool)) return true;
    if (definitions.length >= most) return false;
    added.add(tool);
    definitions.push(define(tool));
    return true;
  };
  const show = (names: readonly string[]) => {
    for (const tool of compiled.tools) if (names.includes(tool.name)) add(tool);
  };
  return { definitions, run: (calls, options) => runWithSearch(calls, options, searching, add), shown: added, show };
}

/**
 * Runs the calls of a turn, in which the model may search for tools. A call of a tool that wasn't found runs like any:
 * a definition is a matter of cost, and another process that continues the conversation has found nothing yet.
 */
async function runWithSearch(
  calls: readonly ToolCall[],
  options: RunOptions | undefined,
  searching: Searching,
  add: Add,
): Promise<CallResult[]> {
  const { compiled, finder } = searching;
  const byName = new Map(compiled.tools.map((tool) => [tool.name, tool]));
  const results = new Map<ToolCall, CallResult>();
  for (const call of calls) {
    const tool = byName.get(call.name);
    if (call.name === finder.name)
      results.set(call, {
        ...NO_RESULT,
        callId: call.callId,
        tool: undefined,
        ...(await search(call, searching, add)),
      });
    // The model reads the definition before it corrects the call.
    else if (tool) add(tool);
  }
  const others = calls.filter((call) => !results.has(call));
  const run = await compiled.run(others, options);
  others.forEach((call, index) => {
    const result = run[index];
    const isKnown = byName.has(call.name);
    const advice = `Find one with ${finder.name}.`;
    const text = !isKnown && messages.unknownTool(call.name, [...byName.keys()], advice);
    if (result) results.set(call, text ? { ...result, text } : result);
  });
  return calls.flatMap((call) => results.get(call) ?? []);
}

/** Answers a search. No policy evaluates it: it runs nothing, and reads what the model may read anyway. */
async function search(call: ToolCall, searching: Searching, add: Add): Promise<Ending> {
  const { finder, hint } = searching;
  const { name, arguments: given, isTruncated } = call;
  if (isTruncated) return { status: "not_run", text: messages.cutCall(name) };
  const { args, problem } = parsedArguments(name, given);
  if (problem !== undefined) return { status: "not_run", text: problem };
  if (!fitsStructure(finder.schema, args)) {
    const { structuralMismatches } = await loadPart("toolset", import("../../json-schema/check/check-structure.js"));
    const mismatches = structuralMismatches(finder.schema, args);
    return { status: "not_run", text: messages.wrongArguments(name, mismatches), mismatches };
  }
  const query = String(args["query"]);
  const found = toolsFor(query, searching);
  if (found.length === 0) return { status: "succeeded", text: nothingFound(query, indexOf(searching), hint) };
  const added = found.filter(add).map(({ name }) => name);
  const text =
    added.length > 0
      ? `You can call these tools now, the best match first: ${added.join(", ")}.`
      : "Tools match, but this conversation has as many as it can. Use those that you have, or tell the user.";
  return { status: "succeeded", text, data: { tools: added } };
}

/** The tools that match a query, the best first. The same query always finds the same tools. */
export function toolsFor(query: string, searching: Searching): CompiledTool[] {
  const { weights, size } = indexOf(searching);
  const scores = new Map<CompiledTool, number>();
  for (const stem of new Set(askedIn(query).map(stemOf))) {
    const found = weights.get(stem) ?? new Map<CompiledTool, number>();
    // A word that few tools have says more.
    const rarity = Math.log(1 + size / found.size);
    for (const [tool, weight] of found) scores.set(tool, (scores.get(tool) ?? 0) + weight * rarity);
  }
  const ranked = [...scores].sort(([left, score], [right, otherScore]) => {
    return otherScore - score || left.name.length - right.name.length || (left.name < right.name ? -1 : 1);
  });
  const best: CompiledTool[] = [];
  let characters = 0;
  for (const [tool] of ranked.slice(0, MOST_RESULTS)) {
    characters += tool.description.length + JSON.stringify(tool.schema).length;
    if (characters > MOST_CHARACTERS && best.length > 0) break;
    best.push(tool);
  }
  return best;
}

function nothingFound(query: string, { words }: Index, hint: string): string {
  const asked = askedIn(query).slice(0, MOST_MISSPELT);
  const meant = asked.map((word) => didYouMean(word, words)).join("");
  return `No tool matches ${JSON.stringify(query.slice(0, 100))}.${meant}${hint} Search for a toolkit, or for what the tool does.`;
}

interface Index {
  readonly weights: ReadonlyMap<string, ReadonlyMap<CompiledTool, number>>;
  readonly words: readonly string[];
  readonly size: number;
}

/** Programs make an adapter for each conversation. */
const indexes = new WeakMap<CompiledToolset, Index>();

function indexOf({ compiled, toolkits }: Searching): Index {
  const known = indexes.get(compiled);
  if (known) return known;
  const { tools } = compiled;
  const weights = new Map<string, Map<CompiledTool, number>>();
  const words = new Set<string>();
  for (const tool of tools) {
    const { name, originalName, description } = tool;
    const names = `${name} ${originalName} ${toolkits.get(originalName) ?? ""}`;
    for (const [text, weight] of [
      [description, IN_DESCRIPTION],
      [names, IN_NAME],
    ] as const) {
      for (const word of wordsOf(text)) {
        words.add(word);
        const stem = stemOf(word);
        // The names come last.
        weights.set(stem, (weights.get(stem) ?? new Map<CompiledTool, number>()).set(tool, weight));
      }
    }
  }
  const index = { weights, words: [...words], size: tools.length };
  indexes.set(compiled, index);
  return index;
}

const askedIn = (query: string) => wordsOf(query.slice(0, MOST_QUERY_CHARACTERS));

/** The words of a string, and the parts of names such as `CREATE_ISSUE`, `createIssue` and `GitHub`. */
function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ");
  const words = [text, apart].flatMap((form) => form.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return [...new Set(words)].filter((word) => !FILLERS.has(word));
}

/** Makes `creates`, `created` and `create` the same word. */
const stemOf = (word: string) => word.replace(/ies$/, "y").replace(/(?<=...)(?:ing|ed|es|s|e)$/, "");
