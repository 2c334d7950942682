/** The used part of the MCP library: larger than the emulator, and loaded with the first request to an MCP URL. */
export {
  createMcpHandler,
  fromJsonSchema,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
