import type ts from "typescript";
import { type Library, libraryOf } from "./exports.js";
import type { EventPart, Shape } from "./method-table.js";

/** The meaning of an expression, as far as the libraries are concerned. */
export type Kind =
  | { readonly is: "export"; readonly library: Library; readonly module: string; readonly name: string }
  | ClientKind
  | ValueKind;

/** A client, a group of its methods, or a method. */
export interface ClientKind {
  readonly is: "client";
  readonly library: "client" | "core";
  /** From the client: `tools.list`. Empty for the client itself. */
  readonly path: string;
  /** The package of its adapter. */
  readonly provider: string | undefined;
  /** Whether it is created with versions of toolkits. */
  readonly hasVersions: boolean;
}

/** A value that a method returned. */
export interface ValueKind {
  readonly is: "value";
  readonly shape: Shape | "wire";
  /** The client whose method returned it. */
  readonly client: ts.Expression | undefined;
  readonly provider: string | undefined;
}

/** Whether an export is the class of a client. */
export function isClientClass(kind: { readonly library: Library; readonly name: string }): kind is {
  readonly library: "client" | "core";
  readonly name: string;
} {
  return (
    kind.library !== "provider" && (kind.name === "Composio" || (kind.library === "client" && kind.name === "default"))
  );
}

/** The kind of an export; `undefined` for the modules of others. */
export function exportOf(module: string, name: string): Kind | undefined {
  const library = libraryOf(module);
  return library && { is: "export", library, module, name };
}

/** The kind of a field of a value. A record's fields are records, except those whose content isn't the library's. */
export function fieldOf(owner: ValueKind, name: string): Kind | undefined {
  if (owner.shape === "wire" || owner.shape === "connection") return undefined;
  if (owner.shape === "response") return undefined;
  const part = EVENT_PARTS[`${owner.shape}.${name}`];
  if (owner.shape.startsWith("event")) return part && { ...owner, shape: part };
  return OPAQUE.test(name) ? undefined : { ...owner, shape: "record" };
}

const EVENT_PARTS: Readonly<Record<string, EventPart>> = {
  "event.payload": "eventPayload",
  "eventPayload.metadata": "eventMetadata",
  "eventMetadata.connectedAccount": "eventAccount",
};

/** Fields whose content comes from tools, providers and users. */
export const OPAQUE =
  /^(arguments|authConfigs|config|connectedAccounts|credentials|customAuthParams|customConnectionData|data|headers|inputParameters|metadata|outputParameters|payload|rawPayload|state|toolkitVersions|triggerConfig|triggerData|val)$/;
