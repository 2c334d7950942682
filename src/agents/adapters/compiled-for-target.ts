import { didYouMean } from "../../shared/nearest-name.js";
import { ensure } from "../ensure.js";
import type { CompiledToolset } from "../schema/compile-toolset.js";
import { DIALECTS } from "../schema/targets.js";
import type { Target } from "../schema/types.js";
import type { Toolset } from "../toolset.js";
import { compiledFor } from "./compiled-for.js";

/**
 * A toolset's tools for an adapter whose target is an option.
 *
 * @throws {ConfigError} if the target doesn't exist, or `tools` isn't a toolset.
 */
export function compiledForTarget(tools: Toolset, target: Target): CompiledToolset {
  const known = Object.keys(DIALECTS);
  ensure(known.includes(target), `unknown target ${target}.${didYouMean(target, known, ` Pass ${known.join(", ")}.`)}`);
  return compiledFor(tools, target);
}
