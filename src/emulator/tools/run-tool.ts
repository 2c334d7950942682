import { mismatchWords } from "../../errors/mismatch-words.js";
import { mismatchesOfJsonSchema } from "../../json-schema/check/check-json-schema.js";
import { UPLOAD } from "../../json-schema/keywords.js";
import { hasMark, replaceMarked } from "../../json-schema/marked-schemas.js";
import { SchemaObject } from "../../json-schema/schema-object.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import { field, isObject, isString, kindOf } from "../../shared/json.js";
import { messageOf } from "../../shared/message-of.js";
import type { VersionedTool } from "../catalog/catalog.js";
import { ProviderError, type ToolDefinition, type ToolkitDefinition } from "../catalog/definitions.js";
import { checkServed, pickAccount } from "../connected-accounts/execution-rules.js";
import type { StoredAccount } from "../engine/account-records.js";
import type { Engine, HandlersOf, ProjectEngine } from "../engine/engine.js";
import type { StoredExecution, StoredStub } from "../engine/project-records.js";
import { ApiFailure, invalidRequest } from "../engine/responses.js";
import type { State } from "../engine/state.js";
import { filesForTool, storedFile } from "../files/storage.js";
import { findTool } from "../toolkits/find-tool.js";
import { deriveArguments } from "./text-arguments.js";

/** One execution, direct or in a session. */
interface EmulatedRun {
  readonly versioned: VersionedTool;
  readonly arguments: JsonObject;
  readonly userId: string | undefined;
  readonly account: StoredAccount | undefined;
  /** The session it ran in. */
  readonly sessionId?: string | undefined;
  /** The meta tool that ran it. */
  readonly parent?: StoredExecution["parent"] | undefined;
}

type RunOutcome =
  | { readonly successful: true; readonly data: JsonObject; readonly error: null }
  | { readonly successful: false; readonly data: JsonObject; readonly error: string };

/** Runs a tool for a request. */
export const execute: HandlersOf<"tools">["tools.execute"] = async ({ params, body, defaultVersion, ...engine }) => {
  if ((body.arguments === undefined) === (body.text === undefined)) {
    throw invalidRequest(["body: expected exactly one of arguments and text"]);
  }
  const versioned = findTool(engine.catalog, params.tool_slug, body.version ?? defaultVersion);
  const suppliedToolkit = body.custom_connection_data?.toolkitSlug;
  if (suppliedToolkit !== undefined && suppliedToolkit !== versioned.toolkit.slug) {
    throw invalidRequest([`body.custom_connection_data.toolkitSlug: expected ${versioned.toolkit.slug}`]);
  }
  const account = pickAccount(versioned.toolkit, body, engine);
  const given = body.arguments ?? deriveArguments(versioned.facts.input, body.text ?? "").found;
  const userId = body.user_id ?? body.entity_id;
  return runTool({ versioned, arguments: given, userId, account }, engine);
};

/**
 * Runs a tool and logs it. Provider errors and invalid arguments are results, not errors.
 *
 * @throws {ApiFailure} 400 for a tool the account's auth config excludes, 500 if the emulated tool throws.
 */
export async function runTool(run: EmulatedRun, engine: ProjectEngine) {
  const { versioned, account, userId, sessionId, parent } = run;
  const { signal } = engine.lifetime;
  signal.throwIfAborted();
  checkServed(versioned.tool, account, engine.state);
  const { source, act } = implementationOf(versioned.tool, engine);
  // A made-up result is recognizable wherever it appears. Assumption E100.
  const log_id = engine.ids.next(source === "sample" ? "log_sample_" : "log_");
  const startedAt = engine.clock.now();
  const result = await attemptRun(run, act, engine);
  signal.throwIfAborted();
  recordExecution(
    {
      id: log_id,
      startedAt,
      tool: versioned.tool.slug,
      toolkit: versioned.toolkit.slug,
      version: versioned.version,
      userId: userId ?? account?.userId ?? null,
      accountId: account?.id ?? null,
      authConfigId: account?.authConfigId ?? null,
      sessionId: sessionId ?? null,
      parent: parent ?? null,
      arguments: run.arguments,
      result: result.data,
      error: result.error,
      source,
    },
    engine,
  );
  return { ...result, log_id };
}

async function attemptRun(run: EmulatedRun, act: ToolDefinition["run"], engine: ProjectEngine): Promise<RunOutcome> {
  const { versioned, account, userId } = run;
  const { toolkit, tool, version, facts } = versioned;
  // A copy either way, because the tool can change its arguments.
  const { given, missing } = inputOf(facts.input).takesFiles
    ? await readFiles(facts.input, run.arguments, engine)
    : { given: structuredClone(run.arguments), missing: undefined };
  const problem = argumentProblem(facts.input, given) ?? missing;
  if (problem !== undefined) return { successful: false, data: {}, error: problem };
  let returned: unknown;
  try {
    returned = await act({
      arguments: given,
      version,
      userId: userId ?? account?.userId,
      accountId: account?.id,
      data: dataOf(toolkit, engine.state),
      now: engine.clock.iso(),
      get files() {
        return filesForTool({ toolkit: toolkit.slug, tool: tool.slug }, engine);
      },
    });
  } catch (error) {
    if (error instanceof ProviderError) {
      return { successful: false, data: { message: error.message, status_code: error.status }, error: error.message };
    }
    const reason = messageOf(error);
    const message = `The emulated tool ${tool.slug} threw: ${reason}`;
    const fix = "Throw a ProviderError from run() if the provider would return an error";
    throw new ApiFailure(500, 10500, "Emulator_ToolCrashed", message, fix);
  }
  return { successful: true, data: jsonObjectOf(returned, tool.slug), error: null };
}

/** A provider's data, to be read and changed in place. */
export function dataOf({ slug }: ToolkitDefinition, { toolkitData }: State): Record<string, unknown> {
  const data = toolkitData.get(slug) ?? {};
  toolkitData.set(slug, data);
  return data;
}

/** The object that a tool returned, as responses and snapshots contain it. */
function jsonObjectOf(returned: unknown, tool: string): JsonObject {
  const crashed = (received: string) => {
    const message = `The emulated tool ${tool} failed: run() must return a JSON object, received ${received}`;
    return new ApiFailure(500, 10500, "Emulator_ToolCrashed", message, "Return a JSON object from run()");
  };
  let copy: unknown;
  try {
    // Without the check, JSON.stringify omits functions and symbols.
    const json: string | undefined = JSON.stringify(returned, (name, value: unknown) => {
      const kind = typeof value;
      if (kind !== "bigint" && kind !== "function" && kind !== "symbol") return value;
      throw crashed(name === "" ? kind : `${kind} in ${name}`);
    });
    copy = json === undefined ? undefined : JSON.parse(json);
  } catch (error) {
    if (error instanceof ApiFailure) throw error;
    // An object with a cycle, or with a getter or toJSON that throws.
    throw crashed(`an object that isn't JSON: ${messageOf(error)}`);
  }
  if (isObject(copy)) return copy;
  throw crashed(kindOf(copy));
}

/** The function that runs for a tool: its stub, otherwise its own. */
function implementationOf(tool: ToolDefinition, { stubs, state }: Engine) {
  const fixed = state.stubs.get(tool.slug);
  const stub = fixed ? () => fixedResult(fixed) : stubs.get(tool.slug);
  if (stub) return { source: "stub" as const, act: stub };
  return { source: tool.isSample ? ("sample" as const) : ("tool" as const), act: tool.run.bind(tool) };
}

function fixedResult(stub: StoredStub): JsonObject {
  if ("error" in stub) throw new ProviderError(stub.error.status, stub.error.message);
  return stub.data;
}

/** Input schemas are read once, because tools run many times. */
const inputs = new WeakMap<JsonObject, { readonly requiredNames: readonly string[]; readonly takesFiles: boolean }>();

function inputOf(schema: JsonObject) {
  const known = inputs.get(schema);
  if (known) return known;
  const { requiredNames } = new SchemaObject(schema);
  const input = { requiredNames, takesFiles: hasMark(schema, UPLOAD) };
  inputs.set(schema, input);
  return input;
}

/** Describes invalid arguments, as the service does inside a 200. */
export function argumentProblem(schema: JsonObject, given: JsonObject): string | undefined {
  const missing: string[] = [];
  for (const name of inputOf(schema).requiredNames) if (!Object.hasOwn(given, name)) missing.push(name);
  if (missing.length > 0) return `Invalid request data provided: following fields are missing: ${missing.join(", ")}`;
  const [first] = mismatchesOfJsonSchema(schema, given);
  return first && `Invalid request data provided: ${first.path}: ${mismatchWords(first)}`;
}

/**
 * The arguments without the files that are an empty string, which means no file, and the first file that was never
 * uploaded or has been deleted. Assumption E50.
 */
async function readFiles(
  schema: JsonObject,
  given: JsonObject,
  { state, clock }: Engine,
): Promise<{ readonly given: JsonObject; readonly missing: string | undefined }> {
  let missing: string | undefined;
  const read = await replaceMarked(schema, given, UPLOAD, (file, path) => {
    if (file === "") return Promise.resolve(undefined);
    const key = field(file, "s3key");
    const isUploaded = isString(key) && storedFile(key, state, clock) !== undefined;
    // The schema says whether null, or a list of files, is accepted.
    const isOne = isObject(file) || isString(file);
    if (isOne && !isUploaded)
      missing ??= `Invalid request data provided: ${path}: no file was uploaded under its s3key`;
    return undefined;
  });
  return { given: Object(read), missing };
}

/** How many executions are kept. */
const KEPT_EXECUTIONS = 10_000;

/** Logs an execution that just ended. */
export function recordExecution(
  execution: Omit<StoredExecution, "projectId" | "endedAt" | "requestId">,
  { project, state, clock, ids, requestId = ids.uuid() }: ProjectEngine,
): void {
  const { arguments: given, result, ...facts } = execution;
  state.executions.set(execution.id, {
    ...facts,
    projectId: project.id,
    endedAt: clock.now(),
    requestId,
    // Copy them, because the caller can still change them.
    arguments: structuredClone(given),
    result: structuredClone(result),
  });
  const [oldest] = state.executions.keys();
  if (state.executions.size > KEPT_EXECUTIONS && oldest !== undefined) state.executions.delete(oldest);
}
