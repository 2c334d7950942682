import * as z from "zod/mini";
import { number, object, string } from "../../resources/schema-kit.js";

const message = {
  /** By lowercase name. */
  headers: z.record(string, string),
  /**
   * The body's first 16,384 characters. Empty if there is no body or it isn't text. Older records lose their bodies
   * when all of them together exceed 8,000,000 characters.
   */
  body: string,
  /** Size of the whole body in bytes, as far as it was read. */
  bytes: z.int(),
};

/** Headers and body of a request or response, with credentials masked. */
export const RecordedMessage = object(message);
export interface RecordedMessage extends Readonly<z.infer<typeof RecordedMessage>> {}

/** A request that the emulator received, and its response. */
export const RequestRecord = object({
  ...message,
  /** When it was received, ISO 8601, by the emulator's clock. */
  at: string,
  /** When it was received, in milliseconds since 1970, in real time. */
  realTime: number,
  /** Milliseconds until the response, in real time. */
  durationMs: number,
  method: string,
  /** Path and query as sent, except for parameters that contain credentials, such as the signature of a storage URL. */
  path: string,
  /** The operation; `undefined` if the path doesn't match one. */
  operation: z.optional(string),
  /** Number of the attempt, from 1, as this package's client counts it; `undefined` for other programs. */
  attempt: z.optional(z.int()),
  /** Response status; `undefined` if an injected fault broke the connection. */
  status: z.optional(z.int()),
  /** The response; `undefined` if an injected fault broke the connection without one. */
  response: z.optional(RecordedMessage),
  /** The injected fault. */
  fault: z.optional(string),
});
export interface RequestRecord extends Readonly<z.infer<typeof RequestRecord>> {}
