/** Replaces every secret in a text. */
export type Redact = (text: string) => string;

/** Makes the function that keeps these secrets out of everything the service sends back to be shown. */
export function redactor(secrets: Iterable<string>): Redact {
  // The longest first: one secret may begin another.
  const patterns = [...secrets].sort((a, b) => b.length - a.length).map((secret) => [...secret].map(anyForm).join(""));
  if (patterns.length === 0) return (text) => text;
  const found = new RegExp(patterns.join("|"), "g");
  return (text) => text.replace(found, "***");
}

/**
 * A character as JSON may write it: as it is, behind backslashes, as `\u0061`, and all of that again in a JSON text that
 * holds a JSON text. Credentials are visible ASCII. They hold no backslash, and the bound on those
 * keeps matching linear.
 */
function anyForm(character: string): string {
  const hex = character.charCodeAt(0).toString(16);
  return `\\\\{0,7}(?:\\x${hex}|u00(?:${hex}|${hex.toUpperCase()}))`;
}
