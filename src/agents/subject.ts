/** For whom the calls of a toolset run. */
export interface Subject {
  /** `undefined` for a session that was opened by its id alone. */
  readonly userId: string | undefined;
  /** Id of the agent session; `undefined` for a client. */
  readonly sessionId: string | undefined;
  /** The toolset's `conversationId`. */
  readonly conversationId: string | undefined;
}

/**
 * Tells calls with the same id apart. The session comes before its user: models of two sessions of a user may give
 * different calls the same id.
 */
export const scopeOf = ({ userId, sessionId, conversationId }: Subject): string =>
  JSON.stringify([sessionId ?? userId, conversationId]);

/**
 * Who shares budgets and standing approvals. The user comes before the session: another session of the user continues
 * with them.
 */
export const principalOf = <Unknown extends null | undefined>({
  userId,
  sessionId,
}: {
  readonly userId: string | Unknown;
  readonly sessionId: string | Unknown;
}): string | Unknown => userId ?? sessionId;
