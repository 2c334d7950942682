import type { ToolCatalogue } from "../typed-catalogue.js";
import type { ExecuteSessionToolBody, SessionToolResult } from "./schema.js";

/** Arguments, which may be left out where none is required. Picked, not named: so the tool's description comes along. */
type ArgumentsOf<Entry> =
  Record<never, never> extends Entry["arguments" & keyof Entry]
    ? Partial<Pick<Entry, "arguments" & keyof Entry>>
    : Pick<Entry, "arguments" & keyof Entry>;

type WithData<Entry> = Omit<SessionToolResult, "data" | "error"> &
  Pick<Entry, "data" & keyof Entry> & {
    /** Null: it went well. */
    error: null;
  };

/** Body of an execution in a session: with the tool's own arguments where types were generated for it. */
export type ExecuteSessionToolBodyOf<Slug extends string> = {
  /** At least 1 character. */
  tool_slug: Slug;
} & (Slug extends keyof ToolCatalogue
  ? Omit<ExecuteSessionToolBody, "tool_slug" | "arguments"> & ArgumentsOf<ToolCatalogue[Slug]>
  : Omit<ExecuteSessionToolBody, "tool_slug">);

/** How an execution in a session went: with the tool's own `data`, once `error` is null, where types were generated for it. */
export type SessionToolResultOf<Slug extends string> = Slug extends keyof ToolCatalogue
  ? WithData<ToolCatalogue[Slug]> | (SessionToolResult & { error: string })
  : SessionToolResult;
