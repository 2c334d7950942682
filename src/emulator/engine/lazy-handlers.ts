import { operations } from "../../contract/operations.js";
import type { HandlersOf, World } from "../host/context.js";

type LazyHandlers = HandlersOf<"toolRouter" | "mcp">;
type Name = keyof LazyHandlers;

/** Loads the code of a handler with the first request to it. Most emulators get none. */
const handlerOf = (name: Name) => async (context: never) => {
  const { lifetime }: World = context;
  const { lazyHandlers } = await import("../on-demand.js");
  lifetime.signal.throwIfAborted();
  return lazyHandlers[name](context);
};

const names = operations
  .map(({ endpoint }) => endpoint.name)
  .filter((name): name is Name => /^(toolRouter|mcp)\./.test(name));

/** The handlers of agent sessions and MCP servers. */
// A cast, because each passes its operation's context on, and what its handler returns.
export const toolRouterAndMcp = Object.fromEntries(names.map((name) => [name, handlerOf(name)])) as LazyHandlers;
