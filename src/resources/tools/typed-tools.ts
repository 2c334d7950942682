import type { ToolCatalogue } from "../typed-catalogue.js";
import type { ExecuteToolBody, ToolFailure, ToolResult, ToolSuccess } from "./schema.js";

/** The request in words, in place of arguments. */
interface InWords extends Required<Pick<ExecuteToolBody, "text">> {
  arguments?: undefined;
}

/** Arguments, in place of the request in words. Picked, not named, because so the tool's description comes along. */
type WithArguments<Entry> = Pick<Entry, "arguments" & keyof Entry> & { text?: undefined };

type WithData<Entry> = Omit<ToolSuccess, "data"> & Pick<Entry, "data" & keyof Entry>;

/** Body of a direct execution of a tool: with its own arguments where types were generated for it. */
export type ExecuteToolBodyOf<Slug extends string> = Slug extends keyof ToolCatalogue
  ? Omit<ExecuteToolBody, "arguments" | "text"> & (WithArguments<ToolCatalogue[Slug]> | InWords)
  : ExecuteToolBody;

/** How an execution of a tool went: with its own `data` where types were generated for it. The service checks the data, not the SDK. */
export type ToolResultOf<Slug extends string> = Slug extends keyof ToolCatalogue
  ? WithData<ToolCatalogue[Slug]> | ToolFailure
  : ToolResult;
