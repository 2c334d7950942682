import { loadPart } from "../errors/base.js";
import type { ConfigError, ToolLockError } from "../errors/local.js";
import { field, isString } from "../shared/json.js";
import { LARGEST_PAGE } from "../shared/service-limits.js";
import type { AgentTool } from "./agent-tool.js";
import { ensureKnown } from "./ensure.js";
import type { LocalTool } from "./tools/local-tool.js";
import { existingTools, type ReadSelection, type ToolRecord } from "./tools/read-tools.js";
import type { ToolService } from "./tools/tool-service.js";
import type { AnyToolsetOptions } from "./toolset-options.js";

/** The service's tools of a toolset. */
export interface SelectedTools {
  readonly records: readonly ToolRecord[];
  /** Tools that were chosen, but aren't as locked or can't be read. */
  readonly omitted: readonly Pick<AgentTool, "name" | "toolkit">[];
}

/**
 * Takes the tools of a serialized toolset, or reads the chosen ones.
 *
 * @param onOmitted - Receives the reason why a chosen tool is omitted.
 * @throws {ConfigError} for a name that nothing has, and the error of the service.
 */
export async function selectTools(
  service: ToolService,
  options: AnyToolsetOptions,
  isSession: boolean,
  onOmitted: (error: ToolLockError | ConfigError) => void,
): Promise<SelectedTools> {
  const omitted: Pick<AgentTool, "name" | "toolkit">[] = [];
  const { from } = options;
  const selection: ReadSelection = {
    ...options,
    onOmitted: (error, { slug, toolkit }) => {
      omitted.push({ name: slug, toolkit: toolkit.slug });
      onOmitted(error);
    },
  };
  const records = from ? from.tools : await readChosen(service, selection, isSession);
  const known = [...records, ...omitted].map(({ toolkit = "" }) => toolkit);
  // A serialized toolset has its tools, whatever else is chosen.
  if (!from) await ensureToolkits(service, options, known, isSession);
  // Several toolsets may share the accounts and versions, each with tools of other toolkits.
  const accounts = options.accounts === "newest" ? {} : options.accounts;
  const named = Object.keys({ ...(from ? {} : options.versions), ...accounts });
  ensureKnown(named, known, "tools of", isSession, true);
  return { records, omitted };
}

async function readChosen(service: ToolService, selection: ReadSelection, isSession: boolean): Promise<ToolRecord[]> {
  try {
    return await service.read(selection);
  } catch (error) {
    // The service may reject a slug that no toolkit has.
    const names = field(error, "status") === 400 ? await existingToolkits(service) : [];
    if (names.length > 0) ensureKnown(selection.toolkits ?? [], names, "toolkit", isSession);
    throw error;
  }
}

/** @throws {ConfigError} for a chosen toolkit without a tool among the known ones. */
async function ensureToolkits(
  service: ToolService,
  { toolkits = [], tags, search, limit }: AnyToolsetOptions,
  known: readonly string[],
  isSession: boolean,
): Promise<void> {
  // A filter may match none of a toolkit's tools.
  const isFiltered = (tags ?? search ?? limit) !== undefined;
  const isMissing = !isFiltered && toolkits.some((slug) => !known.includes(slug));
  const listed = isMissing ? await existingToolkits(service) : [];
  ensureKnown(toolkits, known, "tools of", isSession, isFiltered, [...known, ...listed]);
}

function existingToolkits({ client }: ToolService): Promise<readonly string[]> {
  return existingTools(
    client?.toolkits?.list({ limit: LARGEST_PAGE }).then(({ items }) => items.map(({ slug }) => slug)),
  );
}

/** The local ones of the chosen tools. Most toolsets have none, so what reads them is loaded when one has. */
export async function localTools(
  chosen: readonly (string | LocalTool)[],
): Promise<readonly { readonly local: LocalTool; readonly tool: AgentTool }[]> {
  const locals = chosen.flatMap((tool) => (isString(tool) ? [] : [tool]));
  if (locals.length === 0) return [];
  const { readLocalTool } = await loadPart("toolset", import("./tools/read-local-tool.js"));
  return locals.map((local) => ({ local, tool: readLocalTool(local) }));
}
