import { wellFormed } from "../../shared/well-formed.js";
import type { CallResult } from "../call-result.js";

/** Facts of a model's turn, in every adapter whose `run` takes a response. */
export interface TurnFacts<Part> {
  /** False if nothing waits for your program: the loop ends. */
  readonly hasCalls: boolean;
  /**
   * Whether the model couldn't finish its turn: a limit or a filter stopped it, its stream broke off, or something in
   * it waits for a response and got none. Text is then only a part. Calls that are complete have run.
   */
  readonly isIncomplete: boolean;
  /**
   * Why it is incomplete, in the words of the provider, such as `max_output_tokens`. Our own words are `unanswered`,
   * `stream_broke_off` and `empty_response`. `undefined` if it is complete.
   */
  readonly incompleteReason: string | undefined;
  /**
   * The parts of the turn that wait for your program and got no response, because neither the toolset nor your program
   * supports them. The provider rejects the next request without one.
   */
  readonly unanswered: readonly Part[];
  /** Results of the calls, in order, for your program. */
  readonly results: CallResult[];
}

/** Why a turn is incomplete that has no reason of the provider: its stream ended before the model did. */
export const BROKEN_OFF = "stream_broke_off";
/** The same for a response without anything that the model wrote. */
export const NOTHING = "empty_response";

/** The turn that an adapter returns, with the parts that go back to the provider in its own form. */
export function turnOf<Part, Parts extends object>(
  facts: Pick<TurnFacts<Part>, "hasCalls" | "incompleteReason" | "unanswered" | "results">,
  parts: Parts,
): TurnFacts<Part> & Parts {
  const { incompleteReason = facts.unanswered.length > 0 ? "unanswered" : undefined } = facts;
  return { ...facts, isIncomplete: incompleteReason !== undefined, incompleteReason, ...wellFormed(parts) };
}
