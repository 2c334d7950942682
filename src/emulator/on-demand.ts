/**
 * The parts of the emulator that most programs never use: the connect page, agent sessions and their MCP URLs. Loaded
 * with the first request to one of them. They are loaded together, because the build makes one more file of whatever a
 * different set of parts shares with the rest of the emulator, and each file slows down the start.
 */
export { respond as respondWithLinkPage } from "./connected-accounts/link-page.js";
export { toolRouter } from "./tool-router/handlers.js";
export { serveMcp } from "./tool-router/mcp-server.js";
