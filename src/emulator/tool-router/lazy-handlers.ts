import { operations } from "../../contract/operations.js";
import type { HandlersOf } from "../host/context.js";

type ToolRouterHandlers = HandlersOf<"toolRouter">;
type Name = keyof ToolRouterHandlers;

const names = operations
  .map(({ endpoint }) => endpoint.name)
  .filter((name): name is Name => name.startsWith("toolRouter."));

/** Loads the code of agent sessions with the first request to one. Most emulators get none. */
const handlerOf = (name: Name) => async (context: never) => {
  const { toolRouter: loaded } = await import("../on-demand.js");
  return loaded[name](context);
};

// Each passes its operation's context on, and what its handler returns.
export const toolRouter = Object.fromEntries(names.map((name) => [name, handlerOf(name)])) as ToolRouterHandlers;
