import { readFileSync } from "node:fs";
import { contract } from "../../contract/index.js";
import type { AnyInput } from "../../index.js";
import { isObject, kindOf, parseJson } from "../../shared/json.js";
import { nearestName } from "../../shared/nearest-name.js";
import { UsageError } from "../command.js";
import { type Callable, type Field, itemsOf, kindsOf, type Schema } from "./callable.js";

/** A call, as the command line states it. */
export interface StatedCall {
  readonly input: AnyInput;
  readonly apiVersion: "v3.1" | "v3" | undefined;
  readonly isVerbose: boolean;
  readonly wantsHelp: boolean;
}

/** Options of every operation. */
export const COMMON_OPTIONS = ["--body", "--api-version", "--verbose", "--help"] as const;

/**
 * Reads the words after the operation, and checks them against the contract.
 *
 * @throws {UsageError} for a wrong number of path parameters, an unknown option, or a value that the contract rejects.
 */
export function readCall(operation: Callable, words: readonly string[]): StatedCall {
  const { positionals, options } = split(operation, words);
  const wantsHelp = options.has("--help");
  const apiVersion = options.get("--api-version")?.at(-1);
  if (apiVersion !== undefined && apiVersion !== "v3.1" && apiVersion !== "v3") {
    throw new UsageError(`--api-version must be v3.1 or v3, not ${apiVersion}.`);
  }
  const common: Omit<StatedCall, "input"> = { apiVersion, isVerbose: options.has("--verbose"), wantsHelp };
  if (wantsHelp) return { input: {}, ...common };
  const input = { ...paramsIn(operation, positionals), ...partsIn(operation, options) };
  checkInput(operation, input);
  return { input, ...common };
}

type Options = ReadonlyMap<string, readonly string[]>;

function split(operation: Callable, words: readonly string[]): { positionals: string[]; options: Options } {
  const positionals: string[] = [];
  const options = new Map<string, string[]>();
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      positionals.push(...rest.splice(0));
    } else if (word === "-h") {
      options.set("--help", []);
    } else if (word.startsWith("--")) {
      const [, name = "", value] = /^(--[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      const isFlag = isFlagOf(operation, name) && !/^(true|false|null)$/.test(rest[0] ?? "");
      const given = value ?? (isFlag ? "true" : rest.shift());
      if (given === undefined) throw new UsageError(`${name} needs a value.`);
      if (value === undefined && given.startsWith("--")) {
        throw new UsageError(`${name} needs a value, but ${given} follows. Write ${name}=${given} if it is the value.`);
      }
      options.set(name, [...(options.get(name) ?? []), given]);
    } else {
      positionals.push(word);
    }
  }
  return { positionals, options };
}

function isFlagOf(operation: Callable, name: string): boolean {
  if (name === "--verbose" || name === "--help") return true;
  if (name === "--body" || name === "--api-version") return false;
  const kinds = kindsOf(fieldOf(operation, name).schema);
  return kinds.has("boolean") && [...kinds].every((kind) => kind === "boolean" || kind === "null");
}

/** The field that an option names: `--limit`, `--query.limit`, `--body.limit`. */
function fieldOf(operation: Callable, option: string): Field {
  const [, place, name = ""] = /^--(?:(query|body)\.)?(.*)$/s.exec(option) ?? [];
  const candidates = operation.fields.filter((field) => place === undefined || field.place === place);
  const found = candidates.find((field) => field.name === name);
  if (found) return found;
  if (/^(api[-_]?)?key$|^token$|^secret$/i.test(name)) {
    throw new UsageError("Keys can't be passed as options; set SVC_API_KEY.");
  }
  const known = candidates.map((field) => field.name);
  const meant = nearestName(name.replaceAll("-", "_"), known);
  const hint = meant === undefined ? "" : ` Did you mean --${meant}?`;
  throw new UsageError(`${operation.endpoint.name} has no option ${option}.${hint}`);
}

function paramsIn({ endpoint, params }: Callable, positionals: readonly string[]): AnyInput {
  if (positionals.length !== params.length) {
    const expected = params.length === 0 ? "no argument without a name" : params.map((name) => `<${name}>`).join(" ");
    const given = positionals.length < 2 ? ["none was", "one was"][positionals.length] : `${positionals.length} were`;
    throw new UsageError(`${endpoint.name} takes ${expected}, but ${given} passed.`);
  }
  if (params.length === 0) return {};
  return { params: Object.fromEntries(params.map((name, index) => [name, positionals[index] ?? ""])) };
}

function partsIn(operation: Callable, options: Options): AnyInput {
  const given = { query: new Map<string, unknown>(), body: new Map<string, unknown>() };
  for (const [option, values] of options) {
    if (COMMON_OPTIONS.some((common) => common === option)) continue;
    const field = fieldOf(operation, option);
    given[field.place].set(field.name, readValue(option, field.schema, values));
  }
  const whole = wholeBody(operation, options.get("--body")?.at(-1));
  const body = given.body.size > 0 || whole !== undefined ? { ...whole, ...Object.fromEntries(given.body) } : undefined;
  // Of a required body that is missing, the contract then names the fields that are.
  const isRequired = operation.hasBody && contract.check(operation.endpoint.name, "body", undefined).length > 0;
  return {
    ...(given.query.size > 0 && { query: Object.fromEntries(given.query) }),
    ...((body !== undefined || isRequired) && { body: body ?? {} }),
  };
}

function wholeBody({ endpoint, hasBody }: Callable, text: string | undefined): object | undefined {
  if (text === undefined) return undefined;
  if (!hasBody) throw new UsageError(`${endpoint.name} takes no body.`);
  const body = parseJson(contentOf("--body", text, true));
  if (isObject(body)) return body;
  throw new UsageError("--body must be a JSON object: in quotes, as @file, or - for standard input.");
}

function checkInput({ endpoint, hasBody, fields }: Callable, { query, body }: AnyInput): void {
  const parts = [
    { place: "query", mismatches: contract.check(endpoint.name, "query", query) },
    { place: "body", mismatches: hasBody ? contract.check(endpoint.name, "body", body) : [] },
  ];
  const problems = parts.flatMap(({ place, mismatches }) =>
    mismatches.map(({ path, expected, received }) => {
      const name = fields.some((field) => field.name === path.split(/[.[]/, 1).join())
        ? `--${path}`
        : `${place} ${path}`;
      return `${name.trim()}: expected ${expected}, got ${received}.`;
    }),
  );
  const isWithoutVersion = endpoint.version === "required_body" && isObject(body) && body["version"] === undefined;
  if (isWithoutVersion) problems.push("--version: expected a version such as 20251023_00, or latest, got missing.");
  if (problems.length === 0) return;
  throw new UsageError(`${endpoint.name}: ${problems.join(" ")}`);
}

/**
 * The value of an option that was given once or several times.
 *
 * @param given - As written: a string, JSON, `@file`, or `@-` for standard input.
 * @throws {UsageError} if the schema accepts no such kind of value.
 */
function readValue(option: string, schema: Schema, given: readonly string[]): unknown {
  const kinds = kindsOf(schema);
  const [first = "", ...more] = given;
  if (kinds.has("array") && (more.length > 0 || !kinds.has("string"))) {
    const whole = more.length === 0 ? parseJson(contentOf(option, first, true)) : undefined;
    return Array.isArray(whole) ? whole : given.map((text) => oneValue(option, itemsOf(schema), text));
  }
  if (more.length > 0) throw new UsageError(`${option} was given ${given.length} times, but takes one value.`);
  return oneValue(option, schema, first);
}

function oneValue(option: string, schema: Schema, text: string): unknown {
  const kinds = kindsOf(schema);
  const isTextOnly = kinds.size === 1 && kinds.has("string");
  const content = contentOf(option, text, !kinds.has("string"));
  if (isTextOnly) return content;
  const value = parseJson(content);
  if (value !== undefined && kinds.has(kindOf(value))) return value;
  if (kinds.has("string")) return content;
  const found = value === undefined ? "something that isn't JSON" : kindOf(value);
  throw new UsageError(
    `${option} must be ${[...kinds].join(" or ")}, not ${found}. JSON must be in quotes: '{"a": 1}'.`,
  );
}

/** @param readsDash - Whether a hyphen alone means standard input; as text it may mean itself. */
function contentOf(option: string, text: string, readsDash: boolean): string {
  if (text === "@-" || (readsDash && text === "-")) return readFileSync(0, "utf8");
  if (text.startsWith("@@")) return text.slice(1);
  if (!text.startsWith("@")) return text;
  try {
    return readFileSync(text.slice(1), "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option}: ${reason}. A text that starts with @ is written with @@.`);
  }
}
