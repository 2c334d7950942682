/** Replaces every secret in a text. */
export type Redact = (text: string) => string;

/** Makes the function that keeps these secrets out of everything the service sends back to be shown. */
export function redactor(secrets: Iterable<string>): Redact {
  // The longest first: one secret may begin another.
  const patterns = [...secrets].sort((a, b) => b.length - a.length).map(formsOf);
  if (patterns.length === 0) return (text) => text;
  const found = new RegExp(patterns.join("|"), "g");
  return (text) => text.replace(found, "***");
}

/** Hides further secrets. */
export function alsoHiding(redact: Redact, secrets: Iterable<string>): Redact {
  const hide = redactor(secrets);
  return (text) => hide(redact(text));
}

const SECRET_HEADER = /auth|cookie|token|secret|key|password|signature|credential|llm-gateway/i;

/** The values of a user's own headers that look like secrets by their names. Shorter ones would blank ordinary words. */
export function secretsIn(headers: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!SECRET_HEADER.test(name)) return [];
    const [scheme, ...rest] = value.trim().split(" ");
    // `Bearer abc`: what follows the scheme is the secret, and is echoed without it as well.
    const secret = rest.length > 0 && /^[a-z]+$/i.test(scheme ?? "") ? rest.join(" ") : value.trim();
    return secret.length >= 6 ? [secret] : [];
  });
}

/** A secret in every way a text may hold it. Backslashes double with each encoding, so any number stands for some. */
function formsOf(secret: string): string {
  return [...secret.replace(/\\+/g, "\\")]
    .map((character) => (character === "\\" ? "\\\\{1,16}" : anyForm(character)))
    .join("");
}

/**
 * A character as JSON may write it: as it is, behind backslashes, as `\u0061`, and all of that again in a JSON text that
 * holds a JSON text. The bounds keep matching linear.
 */
function anyForm(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, "0");
  return `\\\\{0,7}(?:\\x${hex}|u00(?:${hex}|${hex.toUpperCase()}))`;
}
