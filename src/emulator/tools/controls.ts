import { checkShape } from "../../contract/check-shape.js";
import { ConfigError } from "../../errors/local.js";
import { JsonObject } from "../../resources/schema-kit.js";
import { didYouMean } from "../../shared/nearest-name.js";
import { ProviderError, type ToolRunContext } from "../catalog/definitions.js";
import type { Engine } from "../engine/engine.js";
import type { ToolRun } from "../engine/execution-schema.js";
import type { StoredExecution } from "../engine/project-records.js";

/** Replaces a tool: its data, an error of the provider, or a function that returns or throws one of them. */
export type ToolStub = JsonObject | ProviderError | ((call: ToolRunContext) => JsonObject | Promise<JsonObject>);

/** Replaces what tools do, and lists how they were called. */
export interface ToolControls {
  /**
   * Replaces what a tool does with data, an error or a function, until `unstub`, `reset`, or `restore`. Arguments are
   * still validated. The data isn't validated, because a test may need an invalid result. A stub replaces an earlier
   * stub of the same tool.
   *
   * ```ts
   * emulator.tools.stub("GITHUB_CREATE_AN_ISSUE", { number: 7 });
   * console.log((await createIssue("It broke")).data);
   * ```
   *
   * @throws {ConfigError} for an unknown tool, or data that isn't a JSON object.
   */
  stub(tool: string, result: ToolStub): void;
  /**
   * Removes a tool's stub, if it has one.
   *
   * @throws {ConfigError} for an unknown tool.
   */
  unstub(tool: string): void;
  /**
   * Executions of a tool, stubbed or not, oldest first. They are among the last 10,000 executions of all tools.
   *
   * @throws {ConfigError} for an unknown tool.
   */
  calls(tool: string): readonly ToolRun[];
}

/** Creates the tool controls of an emulator. */
export function toolControls({ catalog, state, stubs }: Engine): ToolControls {
  const check = (method: string, tool: string) => {
    if (catalog.versionsWith(tool)) return;
    // Untyped callers may pass anything.
    throw new ConfigError(`tools.${method}: unknown tool ${tool}.${didYouMean(String(tool), catalog.toolSlugs)}`);
  };
  const remove = (tool: string) => {
    stubs.delete(tool);
    state.stubs.delete(tool);
  };
  return {
    stub: (tool, result) => {
      check("stub", tool);
      if (typeof result === "function") {
        remove(tool);
        stubs.set(tool, result);
        return;
      }
      const isError = result instanceof ProviderError;
      if (!isError) checkShape(JsonObject, result, `tools.stub(${tool})`);
      stubs.delete(tool);
      state.stubs.set(
        tool,
        isError ? { error: { status: result.status, message: result.message } } : { data: stubbedJson(tool, result) },
      );
    },
    unstub: (tool) => {
      check("unstub", tool);
      remove(tool);
    },
    calls: (tool) => {
      check("calls", tool);
      return [...state.executions.values()].filter((execution) => execution.tool === tool).map(toRun);
    },
  };
}

function toRun({ id, startedAt, ...execution }: StoredExecution): ToolRun {
  const { tool, version, userId, accountId, sessionId, error, source } = execution;
  const { arguments: given, result } = structuredClone(execution);
  const at = new Date(startedAt).toISOString();
  return { logId: id, at, tool, version, userId, accountId, sessionId, arguments: given, result, error, source };
}

/** A stub's data as responses and snapshots write it. */
function stubbedJson(tool: string, data: JsonObject): JsonObject {
  try {
    return JSON.parse(JSON.stringify(data));
  } catch (cause) {
    throw new ConfigError(`tools.stub(${tool}): the data can't be written as JSON.`, { cause });
  }
}
