import type { ToolCatalogue } from "../typed-catalogue.js";
import type { ExecuteSessionToolBody, SessionToolResult } from "./schema.js";

/** Arguments, which may be left out where none is required. Picked, not named: so the tool's description comes along. */
type ArgumentsOf<Entry extends { arguments: unknown }> =
  Record<never, never> extends Entry["arguments"] ? Partial<Pick<Entry, "arguments">> : Pick<Entry, "arguments">;

type ExecutedWith<Entry extends { data: unknown }> = Omit<SessionToolResult, "data" | "error"> &
  Pick<Entry, "data"> & {
    /** Null: it went well. */
    error: null;
  };

/** Body of an execution in a session: with the tool's own arguments where types were generated for it. */
export type ExecuteSessionToolBodyOf<Slug extends string> = {
  /** At least 1 character. */
  tool_slug: Slug;
  // Asked as in ExecuteToolBodyOf, for its reason.
} & (ToolCatalogue extends Readonly<Record<Slug, infer Entry extends { arguments: unknown }>>
  ? Omit<ExecuteSessionToolBody, "tool_slug" | "arguments"> & ArgumentsOf<Entry>
  : Omit<ExecuteSessionToolBody, "tool_slug">);

/** How an execution in a session went: with the tool's own `data`, once `error` is null, where types were generated for it. */
export type SessionToolResultOf<Slug extends string> =
  ToolCatalogue extends Readonly<Record<Slug, infer Entry extends { data: unknown }>>
    ? ExecutedWith<Entry> | (SessionToolResult & { error: string })
    : SessionToolResult;
