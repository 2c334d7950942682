/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A text with its period, unless it ends a sentence already, or with the `[request …]` of an error's message. */
export function sentence(text: string): string {
  return /[.!?\]]$/.test(text) ? text : `${text}.`;
}
