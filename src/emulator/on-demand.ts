/**
 * What most programs never ask an emulator for: its connect page, agent sessions and their MCP URLs. Loaded with the
 * first request to one of them. They share one file, because each file loaded on demand splits what it shares with the
 * rest of the emulator into more files, and Node reads one file faster than several.
 */
export { respond as respondWithLinkPage } from "./connected-accounts/link-page.js";
export { toolRouter } from "./tool-router/handlers.js";
export { serveMcp } from "./tool-router/mcp-server.js";
