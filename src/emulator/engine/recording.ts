import { KEPT_CHARACTERS } from "../../shared/control-plane.js";
import { bytesOf } from "../../shared/text-size.js";
import { maskBody, maskHeader } from "./masking.js";
import type { RecordedMessage } from "./request-schema.js";

/**
 * Bodies of messages, noted when one is read or made: reading a copy of each for the log would cost more than many a
 * request.
 */
const bodies = new WeakMap<Request | Response, string | Uint8Array>();

/** Notes a message's body for the log, and returns the message. */
export function withBody<Message extends Request | Response>(message: Message, body: string | Uint8Array): Message {
  bodies.set(message, body);
  return message;
}

/** A message for the log. What it shows is computed when it's first read, which for most requests is never. */
export class Recording {
  /** Characters of its body that are kept. */
  readonly characters: number;
  // The message itself isn't kept, because it may have a large body.
  readonly #sentHeaders: Headers;
  readonly #type: string;
  readonly #secrets: readonly string[];
  #shownHeaders: RecordedMessage["headers"] | undefined;
  #body: string;
  #isMasked: boolean;
  /** `undefined` until it's counted. */
  #bytes: number | undefined;

  /** @param secrets values to mask, whatever the name of their field. */
  constructor(message: Request | Response, secrets: readonly string[]) {
    const noted = bodies.get(message) ?? "";
    const type = message.headers.get("content-type") ?? "";
    const text = textOf(noted, type);
    const isLong = text.length > KEPT_CHARACTERS;
    this.#sentHeaders = message.headers;
    this.#type = type;
    this.#secrets = secrets;
    // Masking needs the whole body, so a long one is masked before it's cut.
    this.#body = isLong ? detached(maskBody(text, type, secrets).slice(0, KEPT_CHARACTERS)) : text;
    this.#isMasked = isLong;
    this.#bytes = isLong || typeof noted !== "string" ? byteLength(noted) : undefined;
    this.characters = this.#body.length;
  }

  get headers(): RecordedMessage["headers"] {
    this.#shownHeaders ??= Object.fromEntries(
      [...this.#sentHeaders].map(([name, value]) => [name, maskHeader(name, value)]),
    );
    return this.#shownHeaders;
  }

  get body(): string {
    this.#countBytes();
    if (!this.#isMasked) this.#body = maskBody(this.#body, this.#type, this.#secrets);
    this.#isMasked = true;
    return this.#body;
  }

  get bytes(): number {
    return this.#countBytes();
  }

  /** Forgets the body. */
  drop(): void {
    this.#countBytes();
    this.#body = "";
    this.#isMasked = true;
  }

  /** Counts the bytes of the body as it was sent, before it's masked or dropped. */
  #countBytes(): number {
    this.#bytes ??= byteLength(this.#body);
    return this.#bytes;
  }
}

/** A recording as a plain object, whose properties JSON and a spread find. */
export function recordedMessage(recording: Recording): RecordedMessage {
  return {
    get headers() {
      return recording.headers;
    },
    get body() {
      return recording.body;
    },
    get bytes() {
      return recording.bytes;
    },
  };
}

const TEXT = /^text\/|json|x-www-form-urlencoded|xml/;

/** A body as text; empty for the bytes of a file. */
function textOf(noted: string | Uint8Array, type: string): string {
  if (typeof noted === "string") return noted;
  return TEXT.test(type) || type === "" ? new TextDecoder().decode(noted) : "";
}

/** A copy, because a slice keeps the whole string in memory. */
function detached(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === "string" ? bytesOf(body) : body.length;
}
