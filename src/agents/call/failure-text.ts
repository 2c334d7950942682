import type { ApiError } from "../../errors/api-error.js";
import { hasBrand } from "../../errors/base.js";
import { readEnvelope } from "../../errors/envelope.js";
import { messageOf, sentence } from "../../shared/message-of.js";
import { resultText } from "./result-text.js";

/** Why a call failed, in a sentence, and the data that it returned nevertheless. */
export function failureText(error: unknown, maxBytes: number, data: unknown): string {
  // A character has up to three bytes. The rest is for our own words.
  const details = Object.keys(Object(data)).length > 0 ? ` ${resultText(data, maxBytes / 4)}` : "";
  return `${sentence(reasonOf(error).slice(0, maxBytes / 8))}${details}`;
}

/** Why a call failed. Errors of the client are written for developers: the model can't change a URL or a key. */
function reasonOf(error: unknown): string {
  // By their brands: importing the classes would put the client's errors into every bundle with a toolset.
  if (hasBrand<ApiError>(error, "ApiError")) return serviceSaid(error);
  return Object.entries(REASONS).find(([brand]) => hasBrand(error, brand))?.[1] ?? messageOf(error);
}

/** By the class of the error. A subclass comes before its parent. */
const REASONS = {
  TimeoutError: "The service didn't respond in time.",
  ConnectionError: "The connection to the service failed.",
  ResponseError: "The service's response can't be read.",
  // These describe the program, not the call.
  ConfigError: "The program has a problem.",
  MiddlewareError: "The program has a problem.",
} as const;

function serviceSaid({ status, body, errors, suggestedFix = "" }: ApiError): string {
  if (status === 401 || status === 403) return "The service doesn't let the program do this.";
  const { message = `it responded with the status ${status}` } = readEnvelope(JSON.stringify(body ?? ""));
  const details = errors.length > 0 ? ` (${errors.slice(0, 3).join("; ")})` : "";
  return `${sentence(`The service said: ${message}${details}`)} ${suggestedFix}`.trim();
}
