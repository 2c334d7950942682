// The ids of the records in a store of executions. Each kind has its own form, because all of them share the store. A
// scope is the user or the session of a toolset, with its conversation.

/** The id of a call. */
export const callRecordId = (scope: string, callId: string): string => JSON.stringify([scope, callId]);

/** The id by which a call's id is reserved, for services whose ids start again in each turn. */
export const reservedId = (scope: string, callId: string): string => JSON.stringify([scope, callId, "reserved"]);

/** The id of a budget's limit at which a person was asked about a call. */
export const askedLimitId = (scope: string, callId: string, budget: string): string =>
  JSON.stringify([scope, callId, budget, "limit"]);

/** The id of a suspended turn's ticket. */
export const ticketId = (scope: string, digest: string): string => JSON.stringify([scope, digest, "ticket"]);

/** The id of the record that a conversation has started. */
export const conversationStartId = (conversation: string): string => JSON.stringify([conversation, "", "conversation"]);

/** The id of a label: by the conversation alone, because its agents may run for several users and sessions. */
export const labelId = (conversation: string | undefined, label: string): string =>
  JSON.stringify([conversation, label, "label"]);

/** The start of an id, with its scope or conversation; an empty string in an id of another form. */
export function ownerInId(id: string): string {
  // A quote inside of the first string is escaped, so this is its end.
  const end = id.indexOf('","');
  return id.slice(0, Math.max(0, end));
}
