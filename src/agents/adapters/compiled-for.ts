import { ensure } from "../ensure.js";
import { type CompiledToolset, compileToolset } from "../schema/compile-toolset.js";
import type { Target } from "../schema/types.js";
import type { Toolset } from "../toolset.js";

/**
 * A toolset's tools for an adapter.
 *
 * @throws {ConfigError} if it isn't a toolset, but the promise of one, for example.
 */
export function compiledFor(tools: Toolset, target: Target): CompiledToolset {
  // The compiler is used without our errors too, so it doesn't contain them.
  ensure(tools?.offer, "pass a toolset. Await toolset().");
  return compileToolset(tools, target);
}
