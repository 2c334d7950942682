import { field, isString } from "./json.js";

/** Writes a line to the log of a client. */
export type ClientNote = (message: string) => void;

/** A middleware that can write to the client's log, beside the lines of its calls. */
export interface Noting {
  readonly note: ClientNote;
}

/** Whether the field `note` of a middleware is that of {@link Noting}. */
export function isNote(value: unknown): value is ClientNote {
  return typeof value === "function";
}

/**
 * Facts that everything of one client shares. Each part of the client has them as its hidden `owner`, where toolsets
 * find them: they may come from another copy of this package than the client.
 */
export interface ClientOwner {
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** Whether requests stay on this machine. */
  readonly isLocal: boolean;
  /** The client's option `fetch`. */
  readonly fetch: object | undefined;
  /** `undefined` if the client has no log. */
  readonly note: ClientNote | undefined;
}

/** The owner of a client's parts and its sessions; `undefined` for a client that the program wrote. */
export function ownerOf(source: object): ClientOwner | undefined {
  const owner = field(field(source, "tools"), "owner") ?? field(source, "owner");
  return isOwner(owner) ? owner : undefined;
}

function isOwner(value: unknown): value is ClientOwner {
  return isString(field(value, "origin"));
}
