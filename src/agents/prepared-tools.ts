// The tools of a toolset: those that all users share, and those of one user.

import type { AgentTool } from "./agent-tool.js";
import type { BoundTools } from "./bound-arguments.js";
import { ensure } from "./ensure.js";
import { emit } from "./events.js";
import { frozenCopy } from "./json-copy.js";
import { localTools, type SelectedTools, selectTools } from "./select-tools.js";
import { restoreForms } from "./tools/compiled-forms.js";
import type { LocalTool } from "./tools/local-tool.js";
import type { ToolClient, ToolRecord, ToolSession } from "./tools/read-tools.js";
import { takesFiles } from "./tools/shared-schema.js";
import { agentTool, toolServiceOf } from "./tools/tool-service.js";
import type { AnyToolsetOptions } from "./toolset-options.js";

/** The selected and the local tools as calls find them. They don't depend on the user. */
export interface PreparedTools {
  /** The tools with all of their arguments. */
  readonly all: readonly AgentTool[];
  /** The tools without the arguments that the program sets, prepared once. */
  readonly shared: () => Promise<VisibleTools>;
  readonly omitted: SelectedTools["omitted"];
  readonly withFiles: ReadonlySet<string>;
  readonly records: ReadonlyMap<string, ToolRecord>;
  readonly locals: ReadonlyMap<string, LocalTool>;
}

/** Tools as models get them. */
interface VisibleTools {
  readonly tools: readonly AgentTool[];
  readonly bound: BoundTools | undefined;
}

/** Reads the chosen tools, and prepares them for any user. */
export async function preparedTools(
  source: ToolClient | ToolSession,
  options: AnyToolsetOptions,
): Promise<PreparedTools> {
  const isSession = "executeMeta" in source;
  const service = toolServiceOf(source, options.userId);
  const { userId, sessionId } = service;
  const { onEvent, conversationId } = options;
  const { records, omitted } = await selectTools(service, options, isSession, (error) => {
    const target = { onEvent, subject: { userId, sessionId, conversationId } };
    void emit(target, { type: "omitted", callId: undefined, tool: undefined, userId, error });
  });
  const own = await localTools(options.tools ?? []);
  // The policy sees the tool that runs, even if the program renames the tool for a model.
  const all = [...records.map((record) => agentTool(record, isSession)), ...own.map(({ tool }) => tool)];
  if (options.from?.compiled) restoreForms(all, options.from.compiled);
  const withFiles = new Set(all.flatMap(({ name, parameters }) => (takesFiles(parameters) ? [name] : [])));
  let shared: Promise<VisibleTools> | undefined;
  return {
    all,
    shared: () => {
      shared ??= visibleTools(all, options, omitted);
      return shared;
    },
    omitted,
    withFiles,
    // The program may change what it passed, and the original schemas mark the files.
    records: new Map(records.map((record) => [record.slug, withFiles.has(record.slug) ? frozenCopy(record) : record])),
    locals: new Map(own.map(({ local, tool }) => [tool.name, local])),
  };
}

/**
 * The tools of a user: those of all users, unless the user's accounts have labels, between which the model chooses.
 *
 * @param conversation - The user and the conversation; `undefined` if the program has named none.
 */
export async function personalTools(
  source: ToolClient | ToolSession,
  prepared: PreparedTools,
  options: AnyToolsetOptions,
  conversation: string | undefined,
) {
  const { all, shared, records, omitted } = prepared;
  const { accounts: given = {}, userId = "" } = options;
  // Most programs don't load these.
  if ("executeMeta" in source || given === "newest") return { ...(await shared()), accounts: undefined };
  const { ToolAccounts } = await import("./accounts.js");
  const accounts = new ToolAccounts(all, given, source, userId, conversation, records);
  const visible = accounts.tools === all ? shared() : visibleTools(accounts.tools, options, omitted);
  return { ...(await visible), accounts };
}

async function visibleTools(
  all: readonly AgentTool[],
  { bind }: AnyToolsetOptions,
  omitted: SelectedTools["omitted"],
): Promise<VisibleTools> {
  const bound = bind && (await import("./bound-arguments.js")).bindTools(all, bind, omitted);
  return { tools: frozenTools(bound?.tools ?? all), bound };
}

/** @throws {ConfigError} if two tools have the same name. */
function frozenTools(tools: readonly AgentTool[]): readonly AgentTool[] {
  const names = new Set<string>();
  for (const tool of tools) {
    ensure(!names.has(tool.name), `two tools are named ${tool.name}.`);
    names.add(tool.name);
    Object.freeze(Object.freeze(tool).tags);
  }
  return Object.freeze([...tools]);
}
