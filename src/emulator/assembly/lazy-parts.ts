import { mcp } from "../mcp/handlers.js";
import { toolRouter } from "../tool-router/handlers.js";

/**
 * The parts of the emulator that most programs never use: the connect page, agent sessions and their MCP URLs, and MCP
 * servers. Loaded with the first request to one of them. They are loaded together, because the build makes one more
 * file of whatever a different set of parts shares with the rest of the emulator, and each file slows down the start.
 */
export { respondWithLinkPage } from "../connected-accounts/link-page.js";
export { handleMcp } from "../tool-router/mcp-endpoint.js";

/** The handlers of agent sessions and MCP servers. */
export const lazyHandlers = { ...toolRouter, ...mcp };
