import { SvcError } from "../errors/base.js";

/**
 * Why a ticket was rejected:
 *
 * - `malformed`: it isn't a ticket, or a part of it is missing.
 * - `unsupported_version`: its format is unknown.
 * - `changed`: it was changed after the turn was suspended.
 * - `not_found`: the toolset's store of executions doesn't know it.
 * - `other_…`: it belongs to another adapter, user, session, conversation or policy, or the definition of a called
 *   tool has changed.
 */
export type TicketRejectionReason = keyof typeof WORDS;

const WORDS = {
  malformed: "it isn't a whole ticket. Pass the parsed JSON of what suspend() returned.",
  unsupported_version: "its format is unknown. Update svc-sdk in the process that resumes it.",
  changed: "it isn't as suspend() returned it. Store it where your users can't change it.",
  not_found:
    "the store of executions doesn't know it, so its calls could run twice. Share one store between the processes that suspend and resume.",
  other_adapter: "it belongs to another adapter.",
  other_user: "it belongs to another user.",
  other_session: "it belongs to another agent session.",
  other_conversation: "it belongs to another conversation.",
  other_policy: "the policy has changed since it was suspended. Nothing ran. Pass askAgain to ask again.",
  other_definitions:
    "the definition of a called tool has changed since it was suspended. Nothing ran. Pass askAgain to ask again.",
};

/** A ticket was rejected. Nothing ran. */
export class TicketRejectedError extends SvcError {
  protected static override readonly brand: string = "TicketRejectedError";

  /** Why. */
  readonly reason: TicketRejectionReason;

  /** @param details - The values that differ, for the message. */
  constructor(adapter: string, reason: TicketRejectionReason, details?: string) {
    super(`${adapter}: resume: the ticket was rejected: ${WORDS[reason]}${details === undefined ? "" : ` ${details}`}`);
    this.reason = reason;
  }
}
