import { ConfigError } from "../../errors/local.js";
import { field } from "../../shared/json.js";
import { isStream } from "./stream.js";

/** The list in the responses that each adapter runs. */
const LISTS = { openai: "output", openaiChat: "choices", anthropic: "content", google: "candidates" };

/**
 * Checks that `run` was given a stream, or a response of the adapter's library.
 *
 * @throws {ConfigError} that names the right adapter, if it's a response of another one.
 */
export function checkResponse(response: unknown, adapter: keyof typeof LISTS): void {
  const list = LISTS[adapter];
  if (isStream(response) || Array.isArray(field(response, list))) return;
  const [other] = Object.entries(LISTS).find(([, name]) => Array.isArray(field(response, name))) ?? [];
  // Gemini's response to a blocked prompt has no candidates.
  if (adapter === "google" && !other && Object(response) === response && !(response instanceof Promise)) return;
  const hint = other ? ` This one is for ${other}().` : "";
  throw new ConfigError(`${adapter}: run() needs an awaited response with ${list}, or its stream.${hint}`);
}
