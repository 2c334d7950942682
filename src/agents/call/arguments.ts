import type { ArgumentValidator } from "../../contract/arguments.js";
import { loadPart } from "../../errors/base.js";
import type { Mismatch } from "../../errors/local.js";
import { formatPath } from "../../errors/mismatch-words.js";
import { fitsStructure } from "../../json-schema/fit/fits-structure.js";
import { MOST_STEPS } from "../../json-schema/fit/schema-tests.js";
import { unlistedProperties } from "../../json-schema/fit/unlisted.js";
import { atMost, TooMuchWork } from "../../json-schema/step-limit.js";
import { isObject, isString, type Json, readJson } from "../../shared/json.js";
import type { AgentTool } from "../agent-tool.js";
import { frozenCopy } from "../json-copy.js";
import type { ToolsetContext } from "../toolset-context.js";
import * as messages from "./messages.js";

/**
 * The parsed arguments. If they can't be parsed, the problem in the words that a model reads: what isn't an object goes
 * back to some models as an empty one, so there are no arguments then.
 */
export function parsedArguments(name: string, given: unknown): { readonly args: Json; readonly problem?: string } {
  // Models and libraries write no arguments as nothing or as an empty string.
  if ((given ?? "") === "") return { args: {} };
  let value = given;
  if (isString(given)) {
    try {
      value = readJson(given);
    } catch (error) {
      return { args: {}, problem: messages.brokenJson(name, error) };
    }
  }
  return isObject(value) ? { args: value } : { args: {}, problem: messages.notAnObject(name) };
}

/** The arguments with which a tool runs, or what is wrong with those that the model wrote. */
export async function inputOf(
  tool: AgentTool,
  callId: string,
  given: Json,
  {
    bound,
    locals,
    validateArguments,
    userId,
  }: Pick<ToolsetContext, "bound" | "locals" | "validateArguments" | "userId">,
): Promise<Json | Mismatch[]> {
  const rounded = roundedIn(given);
  if (rounded.length > 0) return rounded;
  const filled = bound ? await bound.fill(tool.name, given, { callId, userId }) : given;
  if (Array.isArray(filled)) return filled;
  const args = filled === given ? given : frozenCopy(filled);
  const mismatches = await mismatchesOf(bound ? bound.full(tool) : tool, args, validateArguments);
  if (mismatches.length > 0) return mismatches;
  const local = locals.get(tool.name);
  if (!local) return args;
  const { parseLocalArguments } = await loadPart("toolset", import("../tools/read-local-tool.js"));
  return parseLocalArguments(local, args);
}

/** From here on, JavaScript writes a number with an exponent: no one means all of its digits. */
const EXPONENT = 1e21;

/** Integers that a library has parsed, and that may have been rounded. Text is read with all of their digits. */
function roundedIn(args: Json): Mismatch[] {
  const found: Mismatch[] = [];
  const path: PropertyKey[] = [];
  const read = (value: unknown): void => {
    if (typeof value === "number") {
      if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= EXPONENT) return;
      const expected = `an integer of this size as a string of its digits, such as "9007199254740993"`;
      found.push({ path: formatPath(path), expected, received: "number" });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
        path.push(key);
        read(member);
        path.pop();
      }
    }
  };
  read(args);
  return found;
}

/**
 * Validates the arguments of a call, which may be a call that another one makes: their structure, then with the
 * toolset's validator.
 *
 * @throws {TypeError} if the validator doesn't return an array.
 */
export async function mismatchesOf(
  { kind, parameters }: AgentTool,
  args: Json,
  validator: ArgumentValidator | undefined,
): Promise<Mismatch[]> {
  let isFit: boolean;
  try {
    isFit = fitsStructure(parameters, args, true);
    // A local tool means JSON Schema as it is: the program wrote both.
    if (isFit && kind !== "local") {
      const unlisted = atMost(MOST_STEPS, () => unlistedProperties(parameters, args));
      isFit = unlisted.length === 0 && !hasStagedKey(parameters, args);
    }
  } catch (error) {
    // Conditions of a policy rely on the types.
    return [uncheckable(error)];
  }
  if (!isFit) return listedMismatches(kind, parameters, args);
  let found: unknown = [];
  try {
    if (validator) found = validator.check(parameters, args);
  } catch (error) {
    if (error instanceof TooMuchWork || error instanceof RangeError) return [uncheckable(error)];
    // Like the client's: arguments that can't be checked are left to the service. A local tool has none.
    if (kind === "local") throw error;
    console.warn("toolset: arguments are not checked.", error);
  }
  // A promise has no length, so it would let every call through.
  if (!Array.isArray(found)) throw new TypeError("toolset: validateArguments.check must return an array.");
  return found;
}

/** Why arguments can't be checked, as the model can change it. */
function uncheckable(error: unknown): Mismatch {
  const expected =
    error instanceof TooMuchWork ? "fewer or shorter arguments" : "arguments that are nested less deeply";
  return { path: "", expected, received: "arguments that can't be checked" };
}

/**
 * The key of a staged file, which may belong to another user's upload. Quotes inside of strings are escaped, so it is
 * the name of a member.
 */
const STAGED_KEY = /[{,]"s3key":(?!"")/;

/** Whether arguments of a service's tool name a staged file that its schema doesn't. */
function hasStagedKey(parameters: Json, args: Json): boolean {
  return STAGED_KEY.test(JSON.stringify(args)) && !JSON.stringify(parameters).includes('"s3key"');
}

/** The mismatches of arguments that don't fit. Most fit, so what lists them is loaded when it is needed. */
async function listedMismatches(kind: AgentTool["kind"], parameters: Json, args: Json): Promise<Mismatch[]> {
  const { structuralMismatches, unlistedMismatches } = await loadPart(
    "toolset",
    import("../../json-schema/check/check-structure.js"),
  );
  try {
    const structural = structuralMismatches(parameters, args, true);
    if (structural.length > 0) return structural;
    if (!hasStagedKey(parameters, args)) return unlistedMismatches(parameters, args);
    // The files of inner calls aren't uploaded, and the service takes no paths.
    const expected =
      kind === "meta" ? "no file, because inner calls can't pass files" : "its path or https URL, not its key";
    return [{ path: "s3key", expected, received: "string" }];
  } catch (error) {
    return [uncheckable(error)];
  }
}
