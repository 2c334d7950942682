import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { integrityOf } from "../../shared/digest.js";
import { field, isObject, isString } from "../../shared/json.js";
import { messageOf, sentence } from "../../shared/message-of.js";
import { READ_ONLY } from "../../shared/tools.js";
import type { LocalTool } from "../tools/local-tool.js";
import { readLocalTool } from "../tools/read-local-tool.js";
import { definitionOf, hasReadableSchemas, type McpClientLike, type McpListedTool, McpSource } from "./mcp-source.js";

export type { McpClientLike, McpListedTool } from "./mcp-source.js";

/** The definitions of a server's tools at one time, as {@link mcpLock} returns them. JSON. */
export interface McpLock {
  /** The digest of each tool's definition, by name. */
  readonly tools: Readonly<Record<string, string>>;
}

/** Options for {@link mcpTools}. */
export interface McpToolsOptions {
  /** Prefix of each tool's name, so that tools of several servers have different names: `"files_"`. @default "" */
  readonly prefix?: string | undefined;
  /**
   * Whether to believe the server's annotations. By default, each tool has the tags `destructiveHint` and
   * `openWorldHint`, and none has `readOnlyHint`, because the server may be wrong about its own tools.
   * @default false
   */
  readonly trustHints?: boolean | undefined;
  /** The locked definitions. A tool that isn't in the lock, or has changed, is a mismatch. */
  readonly lock?: McpLock | undefined;
  /** The reaction to a mismatch: an error, or the other tools. @default "throw" */
  readonly onLockMismatch?: "throw" | "omit" | undefined;
  /** Receives the reason why a tool is omitted. @default console.warn */
  readonly onOmitted?: ((error: ConfigError) => void) | undefined;
}

const OPTIONS = {
  prefix: { ...option.STRING, default: "" },
  trustHints: { ...option.BOOLEAN, default: false },
  lock: option.fitting("what mcpLock() returned", (value) => isObject(field(value, "tools"))),
  onLockMismatch: { ...option.oneOf("throw", "omit"), default: "throw" },
  onOmitted: option.FUNCTION,
} as const satisfies option.Rules<McpToolsOptions>;

/**
 * Reads the tools of another MCP server as local tools, for the `tools` of a toolset. The toolset's policy, approvals,
 * budgets, bound arguments and record of calls then apply to them, in every adapter.
 *
 * ```ts
 * const tools = await toolset(new Svc(), {
 *   userId: "user-4711",
 *   tools: ["GITHUB_CREATE_AN_ISSUE", ...(await mcpTools(client, { prefix: "notes_" }))],
 * ```
 *
 * Each call lists the tool again first. If its definition has changed, nothing runs. A result that the server marks as
 * an error is a failed call. A tool whose schema can't be read is omitted.
 *
 * @param client a connected client. It stays yours to close.
 * @throws {ConfigError} for an unknown or invalid option, a list that doesn't end, and a tool that isn't as it was
 *   locked; and the client's error if the tools can't be listed.
 */
export async function mcpTools(client: McpClientLike, given: McpToolsOptions = {}): Promise<LocalTool[]> {
  const options = option.checkAll("mcpTools", given, OPTIONS);
  const { lock, onLockMismatch, onOmitted = ({ message }: ConfigError) => console.warn(message) } = options;
  const source = new McpSource(checkedClient("mcpTools", client));
  const tools: LocalTool[] = [];
  for (const listed of await source.read()) {
    const mismatch = lock && hasReadableSchemas(listed) ? await lockProblem(listed, lock) : undefined;
    if (mismatch !== undefined && onLockMismatch === "throw") throw new ConfigError(`mcpTools: ${mismatch}`);
    const made = mismatch ?? localOf(listed, source, options);
    if (isString(made)) onOmitted(new ConfigError(`mcpTools: ${sentence(made)} The tool is omitted.`));
    else tools.push(made);
  }
  return tools;
}

/**
 * Reads the definitions of a server's tools, to compare them later: store the lock as JSON, review it when it changes,
 * and pass it to {@link mcpTools}. A tool whose schema can't be read isn't in the lock.
 *
 * @throws {ConfigError} without a client, and for a list that doesn't end; and the client's error.
 */
export async function mcpLock(client: McpClientLike): Promise<McpLock> {
  const listed = await new McpSource(checkedClient("mcpLock", client)).read();
  const digests = listed
    .filter(hasReadableSchemas)
    .map(async (tool) => [tool.name, await integrityOf(definitionOf(tool))] as const);
  return { tools: Object.fromEntries(await Promise.all(digests)) };
}

function checkedClient(operation: string, client: McpClientLike): McpClientLike {
  option.check(
    operation,
    "the client",
    client,
    option.withMethods(["listTools", "callTool"], "a connected Client, or "),
  );
  return client;
}

async function lockProblem(tool: McpListedTool, { tools }: McpLock): Promise<string | undefined> {
  const locked = Object.hasOwn(tools, tool.name) ? tools[tool.name] : undefined;
  if (locked === undefined) return `${tool.name} isn't in the lock. Review the tool, then call mcpLock() again.`;
  if (locked === (await integrityOf(definitionOf(tool)))) return undefined;
  return `${tool.name} isn't as it was locked. Review the change, then call mcpLock() again.`;
}

type CheckedMcpOptions = ReturnType<typeof option.checkAll<McpToolsOptions, typeof OPTIONS>>;

/** The local tool, or the reason why it is omitted. */
function localOf(
  listed: McpListedTool,
  source: McpSource,
  { prefix, trustHints }: CheckedMcpOptions,
): LocalTool | string {
  const { name, description = "", inputSchema, outputSchema } = listed;
  if (!hasReadableSchemas(listed)) return `a schema of ${name} is nested too deeply`;
  try {
    const definition = definitionOf(listed);
    const tool: LocalTool = {
      name: `${prefix}${name}`,
      description,
      // Checked by readLocalTool().
      parameters: inputSchema as LocalTool["parameters"],
      output: outputSchema,
      tags: tagsOf(listed.annotations, trustHints),
      execute: (args, context) => source.call(name, definition, args, context),
    };
    readLocalTool(tool);
    return tool;
  } catch (error) {
    return messageOf(error).replace(/^toolset: /, "");
  }
}

/** By MCP's defaults, a tool is destructive and reaches beyond its own data unless it says otherwise. */
function tagsOf(annotations: object | undefined, isTrusted: boolean): string[] {
  const believed = (hint: string) => (isTrusted ? field(annotations, hint) : undefined);
  const reads = believed(READ_ONLY) === true;
  return [
    ...(reads ? [READ_ONLY] : []),
    ...(reads || believed("destructiveHint") === false ? [] : ["destructiveHint"]),
    ...(believed("idempotentHint") === true ? ["idempotentHint"] : []),
    ...(believed("openWorldHint") === false ? [] : ["openWorldHint"]),
  ];
}
