import type { ToolCatalog } from "../typed-catalog.js";
import type { ExecuteSessionToolBody, SessionToolResult } from "./schema.js";

declare global {
  /** Programs without TypeScript's `esnext.disposable` use sessions, too. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Arguments, optional if none is required. `Pick` keeps the tool's description. */
type ArgumentsOf<Entry extends { arguments: unknown }> =
  Record<never, never> extends Entry["arguments"] ? Partial<Pick<Entry, "arguments">> : Pick<Entry, "arguments">;

type ExecutedWith<Entry extends { data: unknown }> = Omit<SessionToolResult, "data" | "error"> &
  Pick<Entry, "data"> & {
    /** Null: it succeeded. */
    error: null;
  };

/** Body for executing a tool in a session: with the tool's own arguments if types were generated for it. */
export type ExecuteSessionToolBodyOf<Slug extends string> = {
  /** At least 1 character. */
  tool_slug: Slug;
  // The same condition as in ExecuteToolBodyOf, for the same reason.
} & (ToolCatalog extends Readonly<Record<Slug, infer Entry extends { arguments: unknown }>>
  ? Omit<ExecuteSessionToolBody, "tool_slug" | "arguments"> & ArgumentsOf<Entry>
  : Omit<ExecuteSessionToolBody, "tool_slug">);

/**
 * Result of an execution in a session: if types were generated for the tool, with its own `data` once `error` is null.
 */
export type SessionToolResultOf<Slug extends string> =
  ToolCatalog extends Readonly<Record<Slug, infer Entry extends { data: unknown }>>
    ? ExecutedWith<Entry> | (SessionToolResult & { error: string })
    : SessionToolResult;
