import type { ToolCatalog } from "../typed-catalog.js";
import type * as shapes from "./schema.js";

/** The task in words, instead of arguments. */
interface InWords extends Required<Pick<shapes.ExecuteToolBody, "text">> {
  arguments?: undefined;
}

/** Arguments, instead of the task in words. `Pick` keeps the tool's description. */
type WithArguments<Entry extends { arguments: unknown }> = Pick<Entry, "arguments"> & { text?: undefined };

/** Body for executing a tool directly: with its own arguments if types were generated for it. */
export type ExecuteToolBodyOf<Slug extends string> =
  // Not `Slug extends keyof ToolCatalog`: for each call, the compiler would go through all tools before it knows the
  // slug.
  ToolCatalog extends Readonly<Record<Slug, infer Entry extends { arguments: unknown }>>
    ? Omit<shapes.ExecuteToolBody, "arguments" | "text"> & (WithArguments<Entry> | InWords)
    : shapes.ExecuteToolBody;

/** The tool ran, and types were generated for it. An interface, so that editors show it by its name. */
export interface ToolSuccessOf<Data> extends Omit<shapes.ToolSuccess, "data"> {
  /** The tool's result, as its `output_parameters` describe it. The SDK doesn't check it. */
  data: Data;
}

/**
 * Result of an execution: with the tool's own `data` if types were generated for it. The service checks the data; the
 * SDK doesn't.
 */
export type ToolResultOf<Slug extends string> =
  ToolCatalog extends Readonly<Record<Slug, infer Entry extends { data: unknown }>>
    ? ToolSuccessOf<Entry["data"]> | shapes.ToolFailure
    : shapes.ToolResult;

/**
 * Generated arguments: the tool's own `arguments` if types were generated for it. The service generates them without a
 * check by the SDK, and may return none: check before you execute.
 */
export type GeneratedInputOf<Slug extends string> =
  ToolCatalog extends Readonly<Record<Slug, infer Entry extends { arguments: unknown }>>
    ? Omit<shapes.GeneratedInput, "arguments"> & Partial<Pick<Entry, "arguments">>
    : shapes.GeneratedInput;
