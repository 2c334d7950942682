import { sampleObjectOf } from "../../emulator/catalog/sample.js";
import { mismatchesOfJsonSchema } from "../../json-schema/check/check-json-schema.js";
import { isString, type Json } from "../../shared/json.js";
import { messageOf } from "../../shared/message-of.js";
import type { ModelRequest, ModelTurn, OfferedTool } from "./types.js";

/** A model rarely needs more at a time. */
const MOST_CALLS = 3;
const LONGEST_OUTPUT = 500;
/** How much a word in a tool's name counts, beside one in its description. */
const IN_NAME = 2;

const FILLERS = new Set("a an and are at be by for from in is it me my of on or that the this to tool with".split(" "));

/** A turn that fits the request: calls of tools that fit the prompt, or the outputs of the calls before. */
export function sampleTurn({ prompt, tools, outputs }: ModelRequest): ModelTurn {
  if (outputs.length > 0) {
    return { text: outputs.map(({ text }) => `I read: ${text.slice(0, LONGEST_OUTPUT)}`).join("\n") };
  }
  const fitting = toolsFor(prompt, tools);
  if (fitting.length > 0) return turnThatCalls(fitting, prompt);
  const names = tools.map(({ name }) => name).join(", ");
  return {
    text: `No tool fits these words, so I called none. ${names === "" ? "I was offered no tools." : `I was offered ${names}.`}`,
  };
}

function turnThatCalls(tools: readonly OfferedTool[], prompt: string): ModelTurn {
  try {
    return { calls: tools.map(({ name, parameters }) => ({ name, arguments: argumentsOf(parameters, prompt) })) };
  } catch (error) {
    return { text: `I found no arguments for ${tools.map(({ name }) => name).join(", ")}: ${messageOf(error)}` };
  }
}

/** Sample arguments, in which the prompt's values replace the first strings that may be any. */
function argumentsOf(schema: Json, prompt: string): Json {
  let args: Json = sampleObjectOf(schema, { seed: 1 });
  const values = valuesIn(prompt);
  for (const [name, sample] of Object.entries(args)) {
    const [value] = values;
    if (value === undefined) break;
    const filled = { ...args, [name]: value };
    if (!isString(sample) || mismatchesOfJsonSchema(schema, filled).length > 0) continue;
    args = filled;
    values.shift();
  }
  return args;
}

/** The parts of `octo-org/hello-world`, then strings in quotes, then the text after a colon. */
function valuesIn(prompt: string): string[] {
  const path = /(?<![\w:/.-])[\w.-]+(?:\/[\w.-]*\w)+/.exec(prompt)?.[0].split("/") ?? [];
  const quoted = [...prompt.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text);
  const [, rest = ""] = /:\s+([^"]+)$/.exec(prompt) ?? [];
  return [...path, ...quoted, ...(rest.trim() === "" ? [] : [rest.trim()])];
}

/** The tool with the most of the prompt's words, then those whose names have words that no earlier one has. */
function toolsFor(prompt: string, tools: readonly OfferedTool[]): OfferedTool[] {
  const left = wordsIn(prompt);
  const candidates = tools.map((tool) => ({ tool, name: wordsIn(tool.name), description: wordsIn(tool.description) }));
  const chosen: OfferedTool[] = [];
  while (chosen.length < MOST_CALLS) {
    let best: (typeof candidates)[number] | undefined;
    let most = 0;
    for (const candidate of candidates) {
      const inName = count(left, candidate.name);
      const score = IN_NAME * inName + count(left, candidate.description);
      if (score > most && (inName > 0 || chosen.length === 0)) [best, most] = [candidate, score];
    }
    if (!best) break;
    chosen.push(best.tool);
    for (const word of [...best.name, ...best.description]) left.delete(word);
  }
  return chosen;
}

const count = (words: ReadonlySet<string>, within: ReadonlySet<string>) =>
  [...words].filter((word) => within.has(word)).length;

/** The words that say something, without their endings: issues and issue are one. */
function wordsIn(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const stems = words
    .filter((word) => !FILLERS.has(word))
    .map((word) => word.replace(/(?<=..)(?:ing|ed|s)$/, "").replace(/(?<=..)e$/, ""));
  return new Set(stems);
}
