import type { McpServer } from "@modelcontextprotocol/server";
import type { JsonObject } from "../catalog/definitions.js";
import { ApiFailure } from "../host/responses.js";
import { executeInSession, executeMetaTool } from "./execute.js";
import { exposedMetaTools, isMetaSlug } from "./meta-tools.js";
import type { SessionScope } from "./scope.js";
import { preloadedTools } from "./show.js";

/**
 * Responds to one request of an MCP client. A request with the metadata of revision 2026-07-28 is served by itself; any
 * other belongs to an older revision, which `initialize` negotiates. Nothing is kept between requests. See assumption
 * E49.
 *
 * @param parsedBody the message of a POST; the request's own body was read.
 */
export async function serveMcp(request: Request, parsedBody: unknown, scope: SessionScope): Promise<Response> {
  const library = await import("./mcp-library.js");
  const isOlder = request.method === "POST" && (await library.isLegacyRequest(request, parsedBody));
  if (!isOlder) {
    const handler = library.createMcpHandler(() => serverOf(scope, library), { keepAliveMs: 0 });
    return handler.fetch(request, { parsedBody });
  }
  // The handler above would respond to older clients with an event stream. One JSON body is easier to read.
  const server = serverOf(scope, library);
  const transport = new library.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody });
  await server.close();
  return response;
}

/** A server with the tools that the session exposes initially. */
function serverOf(scope: SessionScope, library: typeof import("./mcp-library.js")): McpServer {
  const server = new library.McpServer(
    { name: "svc-tool-router", version: "1.0.0" },
    {
      capabilities: { tools: { listChanged: false }, prompts: {}, resources: {} },
      jsonSchemaValidator: UNCHECKED,
      instructions: "Search for tools with SVC_SEARCH_TOOLS, connect accounts, then run the tools.",
    },
  );
  for (const { slug, description, input } of exposedTools(scope)) {
    const inputSchema = library.fromJsonSchema<JsonObject>(withoutOtherDialect(input), UNCHECKED);
    server.registerTool(slug, { description, inputSchema }, (given) => callTool(slug, given, scope));
  }
  // Empty, because many clients list them without looking at the capabilities.
  server.server.setRequestHandler("prompts/list", () => ({ prompts: [] }));
  server.server.setRequestHandler("resources/list", () => ({ resources: [] }));
  server.server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  return server;
}

function exposedTools(scope: SessionScope) {
  return [
    ...exposedMetaTools(scope.config).map(([slug, { description, input }]) => ({ slug, description, input })),
    ...preloadedTools(scope).map(({ tool, facts: { description, input } }) => ({
      slug: tool.slug,
      description,
      input,
    })),
  ];
}

/** Arguments are checked when the tool runs, so that an invalid call is logged like any other. */
const UNCHECKED = {
  getValidator: () => (data: unknown) => ({ valid: true, data: data as never, errorMessage: undefined }) as const,
};

/** Without a `$schema`, clients read a schema as JSON Schema 2020-12; most reject one that names another dialect. */
function withoutOtherDialect(schema: JsonObject): JsonObject {
  const { $schema: dialect, ...rest } = schema;
  return dialect === "https://json-schema.org/draft/2020-12/schema" ? schema : rest;
}

async function callTool(slug: string, given: JsonObject, scope: SessionScope) {
  try {
    const { data, error } = isMetaSlug(slug)
      ? await executeMetaTool({ slug, arguments: given }, scope)
      : await executeInSession({ tool_slug: slug, arguments: given }, scope);
    return textResult(JSON.stringify({ data, error }), error !== null);
  } catch (error) {
    // Return the error as content, so the model can react to it.
    if (error instanceof ApiFailure) return textResult(error.message, true);
    throw error;
  }
}

function textResult(text: string, isError: boolean) {
  return { content: [{ type: "text" as const, text }], isError };
}
