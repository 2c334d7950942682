import type { ToolCatalogue } from "../typed-catalogue.js";
import type { ExecuteToolBody, GeneratedInput, ToolFailure, ToolResult, ToolSuccess } from "./schema.js";

/** The request in words, in place of arguments. */
interface InWords extends Required<Pick<ExecuteToolBody, "text">> {
  arguments?: undefined;
}

/** Arguments, in place of the request in words. Picked, not named, because so the tool's description comes along. */
type WithArguments<Entry extends { arguments: unknown }> = Pick<Entry, "arguments"> & { text?: undefined };

/** Body of a direct execution of a tool: with its own arguments where types were generated for it. */
export type ExecuteToolBodyOf<Slug extends string> =
  // Not `Slug extends keyof ToolCatalogue`: in each call the compiler would go through all tools before it knows the
  // slug.
  ToolCatalogue extends Readonly<Record<Slug, infer Entry extends { arguments: unknown }>>
    ? Omit<ExecuteToolBody, "arguments" | "text"> & (WithArguments<Entry> | InWords)
    : ExecuteToolBody;

/**
 * Result of an execution: with the tool's own `data` if types were generated for it. The service checks the data, not
 * the SDK.
 */
export type ToolResultOf<Slug extends string> =
  ToolCatalogue extends Readonly<Record<Slug, infer Entry extends { data: unknown }>>
    ? (Omit<ToolSuccess, "data"> & Pick<Entry, "data">) | ToolFailure
    : ToolResult;

/**
 * Generated arguments: the tool's own `arguments` if types were generated for it. The service fills them, not the SDK,
 * and there may be none: look before you execute.
 */
export type GeneratedInputOf<Slug extends string> =
  ToolCatalogue extends Readonly<Record<Slug, infer Entry extends { arguments: unknown }>>
    ? Omit<GeneratedInput, "arguments"> & Partial<Pick<Entry, "arguments">>
    : GeneratedInput;
