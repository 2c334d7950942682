import { ConfigError, type Mismatch } from "../errors/local.js";
import type { ToolCatalog } from "../index.js";
import { argumentNames, type Path, without } from "../json-schema/rewrite/argument.js";
import { withoutArgument } from "../json-schema/rewrite/without-argument.js";
import { child, fieldsOf, isJson, isObject, isString, type Json, kindOf } from "../shared/json.js";
import { didYouMean } from "../shared/nearest-name.js";
import { isMetaTool } from "../shared/tools.js";
import type { AgentTool, Execution } from "./agent-tool.js";
import { ensure } from "./ensure.js";
import type { PendingApproval } from "./pending-approval.js";
import { MULTI_EXECUTE, READABLE_META_TOOLS, readInnerCall } from "./tools/meta-tools.js";
import { valuesIn } from "./value-origins.js";

/** The call for which the program sets an argument. */
export type BoundCall = Pick<Execution, "callId" | "tool" | "userId">;

/** The arguments of a tool that the program sets. */
type BoundValues<Args> = {
  readonly [Name in keyof Args]?: Args[Name] | ((call: BoundCall) => Args[Name] | Promise<Args[Name]>);
};

/**
 * Arguments that the program sets, by tool. With generated types, names and values are checked; a nested argument is
 * set by its path.
 */
export type BoundArguments = {
  readonly [Slug in keyof ToolCatalog]?: ToolCatalog[Slug] extends { arguments: infer Args }
    ? BoundValues<Args> & { readonly [path: `${string}.${string}`]: unknown }
    : never;
} & { readonly [tool: string]: Readonly<Record<string, BoundValue>> };

/** A JSON value, or a function of the call. */
type BoundValue = string | number | boolean | null | readonly unknown[] | Json | ((call: BoundCall) => unknown);

/** A tool with all of its arguments, and the values that the program sets. */
interface BoundTool {
  readonly tool: AgentTool;
  readonly values: readonly (readonly [Path, unknown])[];
}

/** Says for which call a value is set. */
type BoundFor = Omit<BoundCall, "tool">;

/**
 * Takes arguments that the program sets out of the schemas that models get.
 *
 * @param omitted - Tools that a lockfile omitted. What is set for them has no effect.
 * @throws {ConfigError} for a tool or an argument that doesn't exist, and if a tool can run any other one.
 */
export function bindTools(
  tools: readonly AgentTool[],
  bind: BoundArguments,
  omitted: readonly Pick<AgentTool, "name">[],
): BoundTools {
  const names = tools.map(({ name }) => name);
  const able = tools.find(({ kind, name }) => kind === "meta" && !READABLE_META_TOOLS.includes(name));
  ensure(!able, `bind can't hold beside ${able?.name}, which can run any tool. Remove it from the toolset.`);
  const bound = new Map<string, BoundTool>();
  const shown = new Map<string, AgentTool>();
  for (const [name, values] of Object.entries(bind)) {
    if (omitted.some((candidate) => candidate.name === name)) continue;
    const tool = tools.find((candidate) => candidate.name === name);
    ensure(tool, `bind: no tool ${name}.${didYouMean(name, names, " Choose it, too.")}`);
    const fields = fieldsOf(values);
    ensure(fields, `bind.${name} must be a plain object with the arguments to set.`);
    let { parameters } = tool;
    const found: [Path, unknown][] = [];
    for (const [argument, value] of Object.entries(fields)) {
      const { path, rest } = takenOut(name, argument, value, parameters);
      parameters = rest;
      found.push([path, value]);
    }
    bound.set(name, { tool, values: found });
    shown.set(name, Object.freeze({ ...tool, parameters }));
  }
  return new BoundTools(tools, bound, shown);
}

/** The path of an argument that the program sets, and the schema without it. */
function takenOut(name: string, argument: string, value: unknown, parameters: Json): { path: Path; rest: Json } {
  ensure(typeof value === "function" || isJson(value), `bind.${name}.${argument} must be a JSON value or a function.`);
  const constant = typeof value === "function" ? undefined : { value };
  // A name may contain a dot, like the names in conditions of a policy.
  const [first = "", ...steps] = argument.split(".");
  for (const path of [[argument], [first, ...steps]] as const satisfies readonly Path[]) {
    const rest = withoutArgument(parameters, path, constant);
    if (rest === undefined) continue;
    ensure(rest, `bind.${name}.${argument}: the tool takes no arguments with it. Remove it from bind.`);
    return { path, rest };
  }
  const known = argumentNames(parameters);
  throw new ConfigError(`toolset: bind: ${name} has no argument ${argument}.${didYouMean(argument, known, "")}`);
}

/** The tools without the arguments that the program sets. */
export class BoundTools {
  readonly tools: readonly AgentTool[];
  readonly #bound: ReadonlyMap<string, BoundTool>;

  constructor(
    tools: readonly AgentTool[],
    bound: ReadonlyMap<string, BoundTool>,
    shown: ReadonlyMap<string, AgentTool>,
  ) {
    this.tools = tools.map((tool) => shown.get(tool.name) ?? tool);
    this.#bound = bound;
  }

  /** A tool with all of its arguments. */
  full(tool: AgentTool): AgentTool {
    return this.#bound.get(tool.name)?.tool ?? tool;
  }

  /** Arguments without those that the program sets, for the model. */
  hide(name: string, args: Json): Json {
    let visible: unknown = args;
    for (const [path] of this.#bound.get(name)?.values ?? []) visible = without(visible, path);
    const calls = args["tools"];
    // Arguments stay an object without some of them.
    if (name !== MULTI_EXECUTE || !Array.isArray(calls)) return visible as Json;
    return {
      ...args,
      tools: calls.map((inner) => {
        const read = readInnerCall(inner);
        return isString(read) ? inner : { ...Object(inner), arguments: this.hide(read.slug, read.args) };
      }),
    };
  }

  /** A pending call without those arguments, and without the files that only those name. */
  hidePending(pending: PendingApproval): PendingApproval {
    const { call, arguments: args, files, origins, previousArguments: previous } = pending;
    const visible = this.hide(call.name, args);
    const text = JSON.stringify(visible);
    const named = new Set([...valuesIn(visible)].map(([path]) => path));
    return {
      ...pending,
      arguments: visible,
      files: files.filter(({ source }) => text.includes(JSON.stringify(source))),
      origins: origins.filter(({ argument }) => named.has(argument)),
      previousArguments: previous && this.hide(call.name, previous),
    };
  }

  /** Sets the arguments, unless the model has set one. */
  async fill(name: string, args: Json, call: BoundFor): Promise<Json | Mismatch[]> {
    const named = args["tools"];
    if (!Array.isArray(named) || name !== MULTI_EXECUTE) return this.#withValues(name, args, call);
    const calls: unknown[] = [];
    for (const [index, inner] of named.entries()) {
      const path = `tools[${index}]`;
      const read = readInnerCall(inner);
      if (isString(read)) return [{ path, expected: "a call of a tool", received: `one that ${read}` }];
      const { slug } = read;
      // Otherwise a call that the service may read as one of a bound tool would run without its values.
      if (!this.#bound.has(slug) && (!/^[A-Z][A-Z0-9_]*$/.test(slug) || isMetaTool(slug))) {
        return [
          { path: `${path}.tool_slug`, expected: "the slug of a tool that runs no others", received: "another name" },
        ];
      }
      const filled = await this.#withValues(slug, read.args, call);
      if (Array.isArray(filled)) return filled.map((mismatch) => ({ ...mismatch, path: `${path}.${mismatch.path}` }));
      calls.push({ ...Object(inner), arguments: filled });
    }
    return { ...args, tools: calls };
  }

  async #withValues(name: string, args: Json, call: BoundFor): Promise<Json | Mismatch[]> {
    const { tool, values = [] } = this.#bound.get(name) ?? {};
    let filled = args;
    for (const [path, value] of values) {
      const text = path.join(".");
      if (isNamed(args, path)) return [{ path: text, expected: "nothing: the program sets it", received: "a value" }];
      let set: unknown = value;
      if (typeof value === "function") {
        set = await value({ ...call, tool });
        ensure(isJson(set), `bind: ${name}.${text} is ${set === undefined ? "undefined" : "no JSON value"}.`);
      }
      const next = withValue(filled, path, set);
      if (!isObject(next)) return [{ path: path[0], expected: "an object", received: kindOf(child(args, path[0])) }];
      filled = next;
    }
    return filled;
  }
}

/** Whether arguments have a value at a path, `null` included. */
function isNamed(args: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return isObject(args) && Object.hasOwn(args, name) && isNamed(args[name], rest);
}

/** A copy of the arguments with a value at a path; `undefined` if something else than an object is in its way. */
function withValue(args: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (args !== undefined && args !== null && !isObject(args)) return undefined;
  const inner = withValue(args && Object.hasOwn(args, name) ? args[name] : undefined, rest, value);
  return inner === undefined ? undefined : { ...Object(args), [name]: inner };
}
