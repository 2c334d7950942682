/** The hints about what a tool does, which are among its tags. */
export const TOOL_HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
