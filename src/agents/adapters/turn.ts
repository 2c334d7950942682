import { loadPart } from "../../errors/base.js";
import { wellFormed } from "../../shared/well-formed.js";
import type { AuthRequired, CallResult } from "../call-result.js";
import type { PendingApproval } from "../pending-approval.js";
import type { OpenedTicket, ResumeOptions, TurnSource, TurnTicket } from "./ticket.js";

/** Facts of a model's turn, in every adapter whose `run` takes a response. */
export interface TurnFacts<Part> {
  /** False if nothing waits for your program: the loop ends. */
  readonly hasCalls: boolean;
  /**
   * Whether the model couldn't finish its turn: a limit or a filter stopped it, its stream broke off, or an item waits
   * for a response and got none. The text is then incomplete. Complete calls have run.
   */
  readonly isIncomplete: boolean;
  /**
   * The provider's reason why the turn is incomplete, such as `max_output_tokens`, or `unanswered`, `stream_broke_off`
   * or `empty_response` from this package. `undefined` if the turn is complete.
   */
  readonly incompleteReason: string | undefined;
  /**
   * The parts of the turn that wait for your program and got no response, because neither the toolset nor your program
   * supports them. The provider rejects the next request if a response is missing.
   */
  readonly unanswered: readonly Part[];
  /** Results of the calls, in order, for your program. */
  readonly results: CallResult[];
  /** The calls that wait for a person, in order. Suspend the turn, or let the model read that they wait. */
  readonly pendingApprovals: readonly PendingApproval[];
  /**
   * The accounts that the user must connect or choose before calls of the turn can run, one per call, in order. Send
   * the user to `linkUrl()`, and suspend the turn, or tell the model that nothing ran.
   */
  readonly authRequired: readonly AuthRequired[];
  /**
   * Creates a ticket of the turn: JSON, which `resume` of the same adapter takes in any process, however much later.
   * The toolset's store of executions records the ticket's digest.
   *
   * @param conversation - The messages that led to the turn, in the provider's form, without the turn.
   * @returns The ticket. It contains the conversation: store it where your users can't change it.
   * @throws {ConfigError} if the conversation isn't JSON; and the error of the store.
   */
  suspend<Message>(conversation: readonly Message[]): Promise<TurnTicket<Message>>;
}

/** Checks a ticket, and returns the turn in the form that the adapter's `run` takes. Few programs need it. */
export async function openedTicket<Response extends object>(
  source: TurnSource,
  ticket: TurnTicket<object>,
  options: ResumeOptions | undefined,
): Promise<OpenedTicket<Response>> {
  const { openTicket } = await loadPart(source.adapter, import("./suspended-turn.js"));
  return openTicket<Response>(source, ticket, options);
}

/** Why a turn is incomplete that has no reason of the provider: its stream ended before the model did. */
export const BROKEN_OFF = "stream_broke_off";
/** The same for a response without anything that the model wrote. */
export const NOTHING = "empty_response";

/** The turn that an adapter returns, with the parts that go back to the provider in its own form. */
export function turnOf<Part, Parts extends object>(
  source: TurnSource,
  facts: Pick<TurnFacts<Part>, "hasCalls" | "incompleteReason" | "unanswered" | "results">,
  parts: Parts,
  response: object,
): TurnFacts<Part> & Parts {
  const { results, incompleteReason = facts.unanswered.length > 0 ? "unanswered" : undefined } = facts;
  const pendingApprovals: PendingApproval[] = [];
  const authRequired: AuthRequired[] = [];
  for (const result of results) {
    if (result.pendingApproval) pendingApprovals.push(result.pendingApproval);
    if (result.authRequired) authRequired.push(result.authRequired);
  }
  return {
    ...facts,
    isIncomplete: incompleteReason !== undefined,
    incompleteReason,
    pendingApprovals,
    authRequired,
    suspend: async (conversation) => {
      const { suspendedTurn } = await loadPart(source.adapter, import("./suspended-turn.js"));
      return suspendedTurn(source, { response, results }, conversation);
    },
    ...wellFormed(parts),
  };
}
