// The room of `svc-sdk call`: operations by name, with arguments from the command line. It imports the package's main
// entry, `src/contract`, whose shapes name the arguments, and `src/json-schema`. Start here. `summaries.ts` is written
// by a script.

import { contract } from "../../contract/index.js";
import { kindName } from "../../errors/mismatch-words.js";
import { type AnyInput, ValidationError } from "../../index.js";
import { ANY, type SchemaNode } from "../../json-schema/node.js";
import { type Limits, SchemaObject } from "../../json-schema/schema-object.js";
import { CREDENTIALS } from "../../shared/credentials.js";
import { field, isObject, kindOf, parseJson } from "../../shared/json.js";
import { type Command, declareCommand, type Option, type Row, text, UsageError, VERBOSE } from "../command.js";
import { connect } from "../connect.js";
import { printJson } from "../print.js";
import { API_VERSION, apiVersionIn, bodyIn, contentOf } from "../read-value.js";
import type { Terminal } from "../terminal.js";
import { type Callable, type CallableField, itemsOf, kindsOf, onlyLeaf } from "./callable.js";

/** The values of an operation's options, as written. A flag is a boolean. */
type OptionValues = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export function operationCommand(operation: Callable): Command {
  const { params, endpoint, hasBody, method } = operation;
  const variables = endpoint.auth.map((kind) => CREDENTIALS[kind].variable);
  return declareCommand({
    usage: [[[...params.map((param) => `<${param}>`), "[options]"].join(" "), ""]],
    options: {
      ...fieldOptions(operation.fields),
      ...(hasBody && { body: text("json", "the whole body; other options replace its fields") }),
      "api-version": API_VERSION,
      verbose: VERBOSE,
    },
    environment: variables.map((variable): Row => [variable ?? "-", variable ? "key" : "the session cookie"]),
    notes: `Request: ${endpoint.method} ${endpoint.path}. ${endpoint.deprecated?.includes("operation") ? "Deprecated. " : ""}Values are strings or JSON; @file reads a file, @- reads standard input.`,
    takesArguments: true,
    progress: "Waiting for the service",
    run: async (values, words, terminal) => {
      const { input, apiVersion } = statedCall(terminal, operation, values, words);
      const svc = connect(terminal, values["verbose"] === true, { apiVersion });
      // The contract has checked the input, which the compiler knows only as that of any endpoint.
      const send = method.send ?? (() => svc.call(endpoint, input as AnyInput & Parameters<typeof svc.call>[1]));
      try {
        const result: unknown = await send(svc, input);
        printJson(terminal, result ?? null);
      } catch (error) {
        // What only the client rejects, a version for example, is from the command line too.
        if (!(error instanceof ValidationError)) throw error;
        throw new UsageError(error.message, { cause: error });
      }
    },
  });
}

/** The options of fields: required ones first, deprecated ones last. */
function fieldOptions(fields: readonly CallableField[]): Record<string, Option> {
  const rank = ({ isRequired, isDeprecated }: CallableField) => Number(!isRequired) + 2 * Number(isDeprecated);
  const sorted = [...fields].sort((left, right) => rank(left) - rank(right));
  return Object.fromEntries(
    sorted.map(({ option, node, isRequired, isDeprecated }) => {
      const words = [isRequired ? "required" : "", isDeprecated ? "deprecated" : "", ...limitsOf(node)];
      const summary = words.filter((word) => word !== "").join(", ");
      const multiple = kindsOf(node).has("array");
      return [option, isFlag(node) ? { type: "boolean", summary } : { ...text(typeName(node), summary), multiple }];
    }),
  );
}

function isFlag(node: SchemaNode): boolean {
  const kinds = kindsOf(node);
  return kinds.has("boolean") && [...kinds].every((kind) => kind === "boolean" || kind === "null");
}

const MOST_VALUES = 8;

/** The type of a value in one word, or its values. */
function typeName(node: SchemaNode): string {
  const values = valuesOf(node);
  if (values.length > 0 && values.length <= MOST_VALUES) return values.join("|");
  const kinds = [...kindsOf(node)].filter((kind) => kind !== "null");
  return kinds.length > 3 ? "json" : kinds.join("|");
}

function limitsOf(node: SchemaNode): string[] {
  const leaf = onlyLeaf(node);
  const { least, most, length, itemCount, format = "" } = new SchemaObject(leaf?.facts ?? {});
  const open = knownValuesOf(node);
  return [
    range({ least: least?.at, most: most?.at }, ""),
    range(length, " character"),
    range(itemCount, " item"),
    /^[a-z-]+$/.test(format) ? format : "",
    leaf ? partsOf(leaf) : "",
    open.length > 0 ? `such as ${open.slice(0, MOST_VALUES).join(", ")}` : "",
    kindsOf(node).has("array") ? "can be repeated" : "",
  ];
}

/** The names in an object; a question mark follows those that may be missing. */
function partsOf({ fields }: SchemaNode): string {
  const shown = [...fields].slice(0, MOST_VALUES).map(([name, { isRequired }]) => (isRequired ? name : `${name}?`));
  return shown.length > 0 ? `{ ${shown.join(", ")} }` : "";
}

/** Limits near the largest safe integer only say that it's an integer. */
function range({ least, most }: Limits, unit: string): string {
  const [from, to] = [least, most].map((limit) => (Math.abs(Number(limit)) < 1e15 ? String(limit) : undefined));
  const units = unit !== "" && (to ?? from) !== "1" ? `${unit}s` : unit;
  if (from !== undefined && to !== undefined) return `${from} to ${to}${units}`;
  if (from !== undefined) return `at least ${from}${units}`;
  return to === undefined ? "" : `at most ${to}${units}`;
}

function valuesOf(node: SchemaNode): string[] {
  return (onlyLeaf(node)?.values ?? []).filter((value) => value !== null).map(String);
}

/** The values that a service is known to use, next to others; of an array, those of its items. */
function knownValuesOf(node: SchemaNode): string[] {
  const known = node.sources.map((source) => field(source, "x-known-values")).find(Array.isArray);
  if (known) return known.map(String);
  const items = itemsOf(node);
  return items ? [...knownValuesOf(items), ...valuesOf(items)] : [];
}

/**
 * A call as the command line states it, checked against the contract.
 *
 * @throws {UsageError} for another API version, a wrong number of path parameters, or a value that the contract
 * rejects.
 */
export function statedCall(terminal: Terminal, operation: Callable, values: OptionValues, words: readonly string[]) {
  const apiVersion = apiVersionIn(values["api-version"]);
  const input: AnyInput = { ...paramsIn(operation, words), ...partsIn(terminal, operation, values) };
  checkInput(operation, input);
  const { params, body } = operation.method.sets ?? {};
  const set = { ...(params && { params: { ...input.params, ...params } }), ...(body && { body }) };
  return { input: { ...input, ...set }, apiVersion };
}

function paramsIn({ name, params }: Callable, words: readonly string[]): AnyInput {
  if (words.length !== params.length) {
    const expected = params.length === 0 ? "no argument without a name" : params.map((param) => `<${param}>`).join(" ");
    const given = words.length < 2 ? ["none was", "one was"][words.length] : `${words.length} were`;
    throw new UsageError(`${name} takes ${expected}, but ${given} passed.`);
  }
  if (params.length === 0) return {};
  return { params: Object.fromEntries(params.map((param, index) => [param, words[index] ?? ""])) };
}

function partsIn(terminal: Terminal, { endpoint, fields, hasBody }: Callable, values: OptionValues): AnyInput {
  const given = { query: new Map<string, unknown>(), body: new Map<string, unknown>() };
  for (const { option, place, name, node } of fields) {
    const value = values[option];
    if (value !== undefined) given[place].set(name, givenValue(terminal, `--${option}`, node, value));
  }
  const text = values["body"];
  const whole = hasBody && text !== undefined ? bodyIn(terminal, String(text)) : undefined;
  const body = given.body.size > 0 || whole !== undefined ? { ...whole, ...Object.fromEntries(given.body) } : undefined;
  // Of a required body that is missing, the contract then names the fields that are.
  const isRequired = hasBody && contract.check(endpoint.name, "body", undefined).length > 0;
  return {
    ...(given.query.size > 0 && { query: Object.fromEntries(given.query) }),
    ...((body !== undefined || isRequired) && { body: body ?? {} }),
  };
}

function checkInput({ name: operation, endpoint, hasBody, fields }: Callable, { query, body }: AnyInput): void {
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
  if (isWithoutVersion) problems.push("--version is required: 20251023_00 or latest.");
  if (problems.length === 0) {
    // JSON can say 1e400, but null would be sent.
    JSON.stringify(body, (name, value: unknown) => {
      if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
        problems.push(`${name}: expected a finite number, got ${value}.`);
      return value;
    });
  }
  if (problems.length === 0) return;
  throw new UsageError(`${operation}: ${problems.join(" ")}`);
}

/**
 * The value of an option that was given once or several times.
 *
 * @param given - As written: a flag, a string, JSON, `@file`, or `@-` for standard input.
 * @throws {UsageError} if the field accepts no such kind of value.
 */
function givenValue(
  terminal: Terminal,
  option: string,
  node: SchemaNode,
  given: NonNullable<OptionValues[string]>,
): unknown {
  if (typeof given === "boolean") return given;
  const kinds = kindsOf(node);
  const [first = "", ...more] = [given].flat().map(String);
  if (kinds.has("array") && (more.length > 0 || !kinds.has("string"))) {
    const whole = more.length === 0 ? parseJson(contentOf(terminal, option, first, true)) : undefined;
    return Array.isArray(whole)
      ? whole
      : [first, ...more].map((text) => oneValue(terminal, option, itemsOf(node) ?? ANY, text));
  }
  return oneValue(terminal, option, node, first);
}

function oneValue(terminal: Terminal, option: string, node: SchemaNode, text: string): unknown {
  const kinds = kindsOf(node);
  const isTextOnly = kinds.size === 1 && kinds.has("string");
  const content = contentOf(terminal, option, text, !kinds.has("string"));
  if (isTextOnly) return content;
  const value = parseJson(content);
  if (value !== undefined && kinds.has(kindOf(value))) return value;
  if (kinds.has("string")) return content;
  const words = [...kinds].flatMap((kind) => (kind === "null" ? [] : [shownKind(kind)]));
  const expected = `${option} must be ${words.join(" or ") || "null"}`;
  if (!kinds.has("object") && !kinds.has("array")) throw new UsageError(`${expected}, not ${text}.`);
  const found = value === undefined ? "something that isn't JSON" : shownKind(kindOf(value));
  throw new UsageError(`${expected}, not ${found}. JSON must be in quotes: '{"a": 1}'.`);
}

const shownKind = (kind: string) => (kind === "boolean" ? "true or false" : kindName(kind));
