import {
  createMcpHandler,
  fromJsonSchema,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "../../resources/schema-kit.js";

/** A tool that MCP clients see. */
export interface McpTool {
  readonly slug: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  readonly call: (given: JsonObject) => Promise<{ readonly text: string; readonly isError: boolean }>;
}

/**
 * Responds to one request of an MCP client. A request with the metadata of revision 2026-07-28 is served by itself; any
 * other belongs to an older revision, which `initialize` negotiates. Nothing is kept between requests. Assumption
 * E49.
 *
 * @param parsedBody the message of a POST; the request's own body was read.
 */
export async function serveMcp(request: Request, parsedBody: unknown, tools: readonly McpTool[]): Promise<Response> {
  const isOlder = request.method === "POST" && (await isLegacyRequest(request, parsedBody));
  if (!isOlder) {
    const handler = createMcpHandler(() => serverOf(tools), { keepAliveMs: 0 });
    return handler.fetch(request, { parsedBody });
  }
  // The handler above would respond to older clients with an event stream. One JSON body is easier to read.
  const server = serverOf(tools);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody });
  await server.close();
  return response;
}

function serverOf(tools: readonly McpTool[]): McpServer {
  const server = new McpServer(
    { name: "svc-tool-router", version: "1.0.0" },
    {
      // Prompts and resources are empty lists, because many clients list them without looking at the capabilities.
      capabilities: { tools: UNCHANGING, prompts: UNCHANGING, resources: UNCHANGING },
      jsonSchemaValidator: UNCHECKED,
      instructions: "Search for tools with SVC_SEARCH_TOOLS, connect accounts, then run the tools.",
    },
  );
  for (const { slug, description, input, call } of tools) {
    const inputSchema = fromJsonSchema<JsonObject>(withoutOtherDialect(input), UNCHECKED);
    server.registerTool(slug, { description, inputSchema }, async (given) => {
      const { text, isError } = await call(given);
      return { content: [{ type: "text", text }], isError };
    });
  }
  return server;
}

/** Nothing is kept between requests, so no client could be notified. */
const UNCHANGING = { listChanged: false };

/** Arguments are checked when the tool runs, so that an invalid call is logged like any other. */
const UNCHECKED = {
  getValidator: () => (data: unknown) => ({ valid: true, data: data as never, errorMessage: undefined }) as const,
};

/** Without a `$schema`, clients read a schema as JSON Schema 2020-12; most reject one that names another dialect. */
function withoutOtherDialect(schema: JsonObject): JsonObject {
  const { $schema: dialect, ...rest } = schema;
  return dialect === "https://json-schema.org/draft/2020-12/schema" ? schema : rest;
}
