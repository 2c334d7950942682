import { ConfigError } from "../errors/local.js";
import { field, isString } from "../shared/json.js";
import type { LinkOptions } from "./auth-required.js";
import type { Dispatching } from "./dispatching.js";
import type { AgentEvent } from "./events.js";
import { memoryExecutions } from "./executions.js";
import { runnableOwnTool } from "./own-tool.js";
import { clientLink, clientTool, sessionLink, sessionTool } from "./service-tools.js";
import { readSessionTools, readTools, type ToolClient, type ToolSession } from "./sources.js";
import { Toolset } from "./toolset.js";
import {
  type AnyToolsetOptions,
  type ClientToolsetOptions,
  checkedOptions,
  type SessionToolsetOptions,
} from "./toolset-options.js";

/**
 * Makes tools for a model: reads the chosen ones, one request per page, and prepares the way their calls are run.
 *
 * ```ts
 * const tools = await toolset(svc, { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"], toolkits: ["textkit"] });
 * const { definitions, run } = openai(tools);
 * ```
 *
 * Tools run in the version whose schema the model was given. Deprecated ones are omitted unless they are named.
 *
 * @throws {ConfigError} if an option is unknown or invalid, no tools are chosen, a named one doesn't exist, two have
 * the same name, or one isn't as locked.
 */
export function toolset(client: ToolClient, options: ClientToolsetOptions): Promise<Toolset>;
/**
 * Makes tools for a model from an agent session: the tools its agent sees, run for the session's user.
 *
 * ```ts
 * const tools = await toolset(await svc.toolRouter.create({ user_id: "user-4711" }));
 * ```
 */
export function toolset(session: ToolSession, options?: SessionToolsetOptions): Promise<Toolset>;
export async function toolset(source: ToolClient | ToolSession, given: AnyToolsetOptions = {}): Promise<Toolset> {
  if (!field(source, "tools")) throw new ConfigError("toolset: pass a client or a session.");
  const options = checkedOptions(given);
  const isSession = "executeMeta" in source;
  const sessionId = isSession ? source.id : undefined;
  const client = isSession ? undefined : source;
  const userId = isSession ? source.record?.config.user_id : options.userId;
  const { accounts = {}, executions, maxResultBytes = 32_768, policy, approvals, snapshot } = options;
  if (!isSession && !userId) throw new ConfigError("toolset: pass userId, the end user.");
  if (!Number.isSafeInteger(maxResultBytes) || maxResultBytes < 1_024) {
    throw new ConfigError("toolset: maxResultBytes must be an integer of at least 1024.");
  }
  if (snapshot && snapshot.toolset !== 1) throw new ConfigError("toolset: snapshot must be what snapshot() returns.");
  if (approvals && (!policy || !executions)) {
    throw new ConfigError("toolset: approvals need a policy and executions, such as redisExecutions().");
  }
  const own = (options.tools ?? []).flatMap((tool) => (isString(tool) ? [] : [runnableOwnTool(tool)]));
  const read = () => (isSession ? readSessionTools(source, options) : readTools(source, options));
  const records = snapshot ? snapshot.tools : await read();
  const user = userId ?? "";
  const service = records.map((record) => (isSession ? sessionTool(record, source) : clientTool(record, source, user)));
  const runnable = [...service, ...own];
  // What a policy is told about a tool is what runs, also if the program renames the tool for a model.
  const tools = Object.freeze(runnable.map(({ tool }) => Object.freeze(tool)));
  const names = new Set<string>();
  for (const { name, tags } of tools) {
    if (names.has(name)) throw new ConfigError(`toolset: two tools are named ${name}.`);
    names.add(name);
    Object.freeze(tags);
  }
  const scope = JSON.stringify([sessionId ?? userId, options.scope]);
  const emit = async (event: AgentEvent) => {
    try {
      // An async function is one of type `void` too.
      const told: unknown = options.onEvent?.(event);
      await told;
    } catch (error) {
      console.error("toolset: onEvent threw.", error);
    }
  };
  const settings = {
    ...options,
    tools,
    client,
    sessionId,
    userId,
    scope,
    conversation: options.scope,
    // A session chooses its own.
    accounts: isSession ? {} : accounts,
    executions: executions ?? memoryExecutions(),
    files: options.files ?? client?.files,
    maxResultBytes,
    link: (toolkit: string, linkOptions: LinkOptions) =>
      isSession ? sessionLink(source, toolkit, linkOptions) : clientLink(source, user, toolkit, linkOptions),
    emit,
  };
  const dispatching: Dispatching = { ...settings, guard: policy?.guard(settings) };
  return new Toolset(runnable, records, dispatching);
}
