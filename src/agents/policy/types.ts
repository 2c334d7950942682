import type { GuardedToolset } from "../guard.js";
import type { Decision, Execution } from "../tool.js";
import type { FindTools } from "./inner-calls.js";

/** For whom calls are counted. */
export interface CountedFor {
  /** The user; for a session that was opened by its id alone, the session's id. */
  readonly principal: string;
  /** The toolset's `scope`: a conversation's id, for example. */
  readonly scope: string | undefined;
}

/** Your own way to decide which calls run, for `customPolicy`. */
export interface CustomPolicy {
  /** Identifies the rules. An approval holds only for the policy it was given under. */
  readonly digest: string;
  /**
   * Decides about one call, right before it would run. Throw, reject or return something else, and the call doesn't
   * run. A call of a tool that runs several others is decided for itself, without its tags, and for each of them with
   * theirs; the strictest outcome holds for all.
   */
  decide(execution: Execution): Decision | Promise<Decision>;
  /**
   * Counts calls against budgets before they run, in one step: all of them, or none. What was counted is never given
   * back. Throw, reject or return something else, and nothing runs. Without it, calls aren't counted.
   *
   * @param executions - One call. If its tool runs several others, followed by each of them.
   * @returns `allow` if they fit and are counted, `deny` if they don't.
   */
  count?(executions: readonly Execution[], counted: CountedFor): Promise<Decision>;
}

/** By what the calls of a toolset are judged. */
export interface Judging extends GuardedToolset {
  readonly policy: CustomPolicy;
  readonly findTools: FindTools;
}
