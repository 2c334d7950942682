import type { RecordedMessage } from "./activity.js";
import { maskBody, maskHeader } from "./mask.js";

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

/** How many characters of a body are kept. */
export const KEPT_CHARACTERS = 16_384;

/** A message for the log. */
export interface Recording {
  /**
   * The message as the log shows it. Its fields are computed when they're first read, which for most requests is never.
   */
  readonly message: RecordedMessage;
  /** The start of its body as sent, to compare it with others. */
  readonly sent: string;
  /** Characters of its body that are kept. */
  readonly characters: number;
  /** Forgets the body. */
  drop(): void;
}

/**
 * Records a message.
 *
 * @param secrets values to mask, whatever the name of their field.
 */
export function record(message: Request | Response, secrets: readonly string[]): Recording {
  // The message itself isn't kept, because it may have a large body.
  const { headers } = message;
  const noted = bodies.get(message) ?? "";
  const type = headers.get("content-type") ?? "";
  const text = textOf(noted, type);
  const isLong = text.length > KEPT_CHARACTERS;
  // Masking needs the whole body, so a long one is masked before it's cut.
  const kept = {
    body: isLong ? detached(maskBody(text, type, secrets).slice(0, KEPT_CHARACTERS)) : text,
    isMasked: isLong,
  };
  const shown: { headers?: Readonly<Record<string, string>>; bytes?: number } =
    isLong || typeof noted !== "string" ? { bytes: byteLength(noted) } : {};
  return {
    sent: kept.body,
    characters: kept.body.length,
    drop: () => {
      shown.bytes ??= byteLength(kept.body);
      Object.assign(kept, { body: "", isMasked: true });
    },
    message: {
      get headers() {
        shown.headers ??= Object.fromEntries([...headers].map(([name, value]) => [name, maskHeader(name, value)]));
        return shown.headers;
      },
      get body() {
        shown.bytes ??= byteLength(kept.body);
        if (!kept.isMasked) Object.assign(kept, { body: maskBody(kept.body, type, secrets), isMasked: true });
        return kept.body;
      },
      get bytes() {
        shown.bytes ??= byteLength(kept.body);
        return shown.bytes;
      },
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
  return typeof body === "string" ? new TextEncoder().encode(body).length : body.length;
}
