import { field, isString } from "../shared/json.js";
import type { Dispatching } from "./dispatching.js";
import { ensure, ensureKnown } from "./ensure.js";
import type { AgentEvent } from "./events.js";
import { memoryExecutions } from "./executions.js";
import { runnableOwnTool } from "./own-tool.js";
import { clientOrigin, sessionOrigin } from "./service-tools.js";
import type { ToolClient, ToolSelection, ToolSession } from "./sources.js";
import { Toolset } from "./toolset.js";
import {
  type AnyToolsetOptions,
  type ClientToolsetOptions,
  checkedOptions,
  type SessionToolsetOptions,
} from "./toolset-options.js";

/**
 * Makes tools for a model from an agent session: the tools its agent sees, run for the session's user.
 *
 * ```ts
 * const tools = await toolset(await svc.toolRouter.create({ user_id: "user-4711" }));
 * ```
 */
export function toolset(session: ToolSession, options?: SessionToolsetOptions): Promise<Toolset>;
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
// Last, because compilers explain an error with the last overload.
export function toolset(client: ToolClient, options: ClientToolsetOptions): Promise<Toolset>;
export async function toolset(source: ToolClient | ToolSession, given: AnyToolsetOptions = {}): Promise<Toolset> {
  ensure(field(source, "tools"), "pass a client or a session, awaited.");
  const isSession = "executeMeta" in source;
  const options = checkedOptions(given, isSession);
  const { tools: chosen = [], accounts = {}, executions, maxResultBytes = 32_768, policy, snapshot } = options;
  const origin = isSession ? sessionOrigin(source) : clientOrigin(source, options.userId);
  ensure(!options.approvals || (policy && executions), "approvals need a policy and executions.");
  // The remainder of Infinity is NaN.
  ensure(maxResultBytes % 1 === 0 && maxResultBytes >= 1_024, "maxResultBytes must be an integer of at least 1024.");
  ensure(!snapshot || snapshot.toolset === 1, "snapshot must be what snapshot() returns.");
  const own = chosen.flatMap((tool) => (isString(tool) ? [] : [runnableOwnTool(tool)]));
  const records = snapshot ? snapshot.tools : await origin.read(options);
  // A snapshot has its tools, whatever else is chosen.
  const { toolkits = [], versions, tags, search, limit }: ToolSelection = snapshot ? {} : options;
  const known = records.map(({ toolkit }) => toolkit);
  // A filter may match none of a toolkit's tools.
  ensureKnown(toolkits, known, "tools of", isSession, (tags ?? search ?? limit) !== undefined);
  // Several toolsets may share them, each with tools of other toolkits.
  ensureKnown(Object.keys({ ...versions, ...accounts }), known, "tools of", isSession, true);
  const runnable = [...records.map(origin.runnable), ...own];
  // What a policy is told about a tool is what runs, also if the program renames the tool for a model.
  const tools = Object.freeze(runnable.map(({ tool }) => Object.freeze(tool)));
  const names = new Set<string>();
  for (const { name, tags } of tools) {
    ensure(!names.has(name), `two tools are named ${name}.`);
    names.add(name);
    Object.freeze(tags);
  }
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
    ...origin,
    tools,
    runnable,
    records,
    scope: JSON.stringify([origin.sessionId ?? origin.userId, options.scope]),
    conversation: options.scope,
    accounts,
    executions: executions ?? memoryExecutions(),
    files: options.files ?? origin.client?.files,
    maxResultBytes,
    emit,
  };
  const dispatching: Dispatching = { ...settings, guard: policy?.guard(settings) };
  return new Toolset(dispatching);
}
