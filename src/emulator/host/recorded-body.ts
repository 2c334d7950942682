import type { RecordedMessage } from "./activity.js";
import { maskBody, maskHeader } from "./mask.js";

/**
 * Bodies of messages, noted when one is read or made: reading a copy of each for the log would cost more than many a request.
 */
const bodies = new WeakMap<Request | Response, string | Uint8Array>();

/** Notes a message's body for the log, and returns the message. */
export function withBody<Message extends Request | Response>(message: Message, body: string | Uint8Array): Message {
  bodies.set(message, body);
  return message;
}

/** How many characters of a body are kept. */
export const KEPT_CHARACTERS = 16_384;

const TEXT = /^text\/|json|x-www-form-urlencoded|xml/;

/**
 * A message as the log shows it.
 *
 * @param secrets values to mask, whatever the name of their field.
 */
export function recordedMessage(message: Request | Response, secrets: Iterable<string>): RecordedMessage {
  const noted = bodies.get(message) ?? "";
  const bytes = typeof noted === "string" ? new TextEncoder().encode(noted).length : noted.length;
  const type = message.headers.get("content-type") ?? "";
  const text =
    typeof noted === "string" ? noted : TEXT.test(type) || type === "" ? new TextDecoder().decode(noted) : "";
  const headers = Object.fromEntries([...message.headers].map(([name, value]) => [name, maskHeader(name, value)]));
  return { headers, body: maskBody(text, type, secrets).slice(0, KEPT_CHARACTERS), bytes };
}
