import { ConfigError } from "../../errors/local.js";
import { field, isText } from "../../shared/json.js";
import type { Policy } from "../guard.js";
import { EnforcedPolicy } from "./enforced-policy.js";
import type { CustomPolicy } from "./types.js";

/**
 * Makes a policy that decides in your own way: the option `policy` of a toolset.
 *
 * ```ts
 * const weekdays = customPolicy({
 *   digest: "weekdays 1",
 *   decide: () => (isWeekend() ? { outcome: "deny", reason: "It's the weekend." } : { outcome: "allow" }),
 * });
 * ```
 *
 * @throws {ConfigError} if `digest` isn't a string, or `decide` or `count` isn't a function.
 */
export function customPolicy(custom: CustomPolicy): Policy {
  // What JavaScript can get wrong: without a digest, an approval would hold for any policy without one.
  if (!isText(field(custom, "digest")) || custom.digest === "") {
    throw new ConfigError("customPolicy: digest must be a string that identifies the rules.");
  }
  if (typeof custom.decide !== "function") throw new ConfigError("customPolicy: decide must be a function.");
  if (custom.count !== undefined && typeof custom.count !== "function") {
    throw new ConfigError("customPolicy: count must be a function.");
  }
  return new EnforcedPolicy(custom);
}
