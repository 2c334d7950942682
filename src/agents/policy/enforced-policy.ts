import { type Guard, type GuardedToolset, Policy } from "../guard.js";
import { finder } from "./inner-calls.js";
import { judge } from "./judge.js";
import type { CustomPolicy } from "./types.js";

/** A policy, and the code that enforces it. */
export class EnforcedPolicy extends Policy {
  readonly #policy: CustomPolicy;

  constructor(policy: CustomPolicy) {
    super();
    this.#policy = policy;
  }

  override guard(toolset: GuardedToolset): Guard {
    const judging = { ...toolset, policy: this.#policy, findTools: finder(toolset) };
    return { judge: (call, files, options) => judge(call, files, judging, options) };
  }
}
