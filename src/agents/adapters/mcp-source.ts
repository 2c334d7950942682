import { ConfigError } from "../../errors/local.js";
import { canonicalJson } from "../../shared/canonical-json.js";
import { field, isString, type Json, parseJson } from "../../shared/json.js";
import { messageOf } from "../../shared/message-of.js";
import { NotStarted, ReportedFailure, type ToolContext } from "../agent-tool.js";
import { isReadableTool } from "../tools/readable-tools.js";

/** A tool as an MCP server lists it. */
export interface McpListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. */
  readonly inputSchema: object;
  /** JSON Schema of the structured result. */
  readonly outputSchema?: object | undefined;
  /** Hints of the server, such as `readOnlyHint`. */
  readonly annotations?: object | undefined;
}

/**
 * The part of an MCP client that `mcpTools` uses: a `Client` of `@modelcontextprotocol/client` 2, or of
 * `@modelcontextprotocol/sdk` 1.
 */
export interface McpClientLike {
  /** Lists tools, perhaps in pages. */
  listTools(params?: {
    cursor?: string;
  }): Promise<{ readonly tools: readonly McpListedTool[]; readonly nextCursor?: string | undefined }>;
  /** Runs a tool. Its options are the last parameter, in either version. */
  callTool(params: { name: string; arguments: Record<string, unknown> }, ...options: never[]): Promise<unknown>;
}

/** Of one server. A list whose pages never end would use all memory. */
const MOST_PAGES = 1_000;

/** Everything of a definition that a model or a caller relies on. */
export function definitionOf({ name, description, inputSchema, outputSchema, annotations }: McpListedTool): string {
  return canonicalJson({ name, description, inputSchema, outputSchema, annotations });
}

/** Whether the schemas aren't nested too deeply to compile or to compare. */
export function hasReadableSchemas({ inputSchema, outputSchema }: McpListedTool): boolean {
  return isReadableTool({ input_parameters: inputSchema, output_parameters: outputSchema });
}

/** Lists and runs a server's tools. */
export class McpSource {
  readonly #client: McpClientLike;
  /** Calls of one turn share a list. */
  #listing: Promise<readonly McpListedTool[]> | undefined;

  constructor(client: McpClientLike) {
    this.#client = client;
  }

  /** @throws {ConfigError} after too many pages. */
  async read(): Promise<readonly McpListedTool[]> {
    const tools: McpListedTool[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const page = await this.#client.listTools(cursor === undefined ? undefined : { cursor });
      for (const tool of page.tools) tools.push(tool);
      cursor = page.nextCursor;
      if (cursor === undefined) return tools;
    }
    throw new ConfigError(`mcpTools: the server lists more than ${MOST_PAGES} pages of tools.`);
  }

  async call(name: string, definition: string, args: Json, { signal }: ToolContext): Promise<unknown> {
    await this.#ensureUnchanged(name, definition);
    const result = await this.#send({ name, arguments: { ...args } }, { signal });
    const { content, structuredContent, isError }: Record<string, unknown> = Object(result);
    const text = textOf(content);
    if (isError === true) throw new ReportedFailure(text || `${name} failed`, { cause: structuredContent });
    if (structuredContent !== undefined) return structuredContent;
    if (text === undefined) return content;
    const value = parseJson(text);
    return typeof value === "object" && value !== null ? value : text;
  }

  /** @throws {NotStarted} if the tool isn't what the model and the policy were shown, or can't be listed. */
  async #ensureUnchanged(name: string, definition: string): Promise<void> {
    this.#listing ??= this.read().finally(() => {
      this.#listing = undefined;
    });
    const tools = await this.#listing.catch((error: unknown) => {
      throw new NotStarted(`The MCP server's tools can't be listed: ${messageOf(error)}`, { cause: error });
    });
    if (tools.some((tool) => tool.name === name && hasReadableSchemas(tool) && definitionOf(tool) === definition))
      return;
    throw new NotStarted(`The MCP server has changed or removed ${name} since the program read it.`);
  }

  #send(params: object, options: object): Promise<unknown> {
    const { callTool } = this.#client;
    // Version 1 has a schema of the result before the options, which has a default: parameters after it don't count.
    const rest = callTool.length === 1 ? [undefined, options] : [options];
    return Reflect.apply(callTool, this.#client, [params, ...rest]);
  }
}

/** The text of a result; `undefined` if it has other content. */
function textOf(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((block: unknown) => field(block, "text"));
  return texts.every(isString) ? texts.join("\n") : undefined;
}
