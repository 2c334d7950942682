/** Replaces every secret in a text. */
export type Redact = (text: string) => string;

/** Makes the function that keeps these secrets out of everything the service sends back to be shown. */
export function redactor(secrets: Iterable<string>): Redact {
  const needles = [...secrets].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return (text) => needles.reduce((clean, needle) => clean.replaceAll(needle, "***"), text);
}
