import { field } from "../json.js";
import type { AnyEndpoint, AnyInput } from "./endpoint.js";
import type { Tell } from "./observer.js";
import type { Redact } from "./redact.js";

/** Tells about everything deprecated that a call uses, as far as this package knows it. */
export function tellDeprecatedInputs(endpoint: AnyEndpoint, input: AnyInput, tell: Tell): void {
  for (const subject of endpoint.deprecated ?? []) {
    if (subject === "operation" || isGiven(input, subject)) {
      tell({ type: "deprecation", subject, deprecation: undefined, sunset: undefined });
    }
  }
}

/** Tells about what the service calls deprecated in an answer's headers (RFC 9745, RFC 8594). */
export function tellDeprecationHeaders(headers: Headers, tell: Tell, redact: Redact): void {
  const shown = (name: string) => {
    const value = headers.get(name);
    return value === null ? undefined : redact(value).slice(0, 100);
  };
  const deprecation = shown("deprecation");
  const sunset = shown("sunset");
  if (deprecation ?? sunset) tell({ type: "deprecation", subject: "operation", deprecation, sunset });
}

function isGiven(input: AnyInput, subject: string): boolean {
  const [path = "", deprecated] = subject.split("=");
  let value: unknown = input;
  for (const name of path.split(".")) value = field(value, name);
  return value !== undefined && (deprecated === undefined || value === deprecated);
}
