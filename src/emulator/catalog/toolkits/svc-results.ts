import type { ExecuteMetaToolBody } from "../../../resources/tool-router/call-schema.js";
import { type JsonObject, list, objectSchema, text, whole } from "../definitions.js";

const flag = (description: string): JsonObject => ({ type: "boolean", description });
const orNull = (type: string): JsonObject => ({ type: [type, "null"] });
const anyOf = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });
const mapOf = (schema: JsonObject): JsonObject => ({ type: "object", additionalProperties: schema });
const strings = list({ type: "string" }, "");
const optional = (fields: Record<string, JsonObject>) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [`${name}?`, schema]));
const nullable = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, orNull("string")]));

const session_id = text("Id of the workflow, for the session_id of the other meta tools.");
const session = anyOf(objectSchema({ id: session_id, instructions: text("How to go on.") }));
const toolkit = text("Slug of the toolkit.");
const connection = {
  has_active_connection: orNull("boolean"),
  current_user_info: orNull("object"),
  ...nullable("auth_config_id", "connected_account_id", "created_at", "error_message"),
};
const output = { stdout: { type: "string" }, stderr: { type: "string" } };
const places = optional({ ...nullable("stdout_file_path", "stderr_file_path", "sandbox_id_suffix"), session });

/** JSON Schema of the output of a meta tool. */
export function metaOutput(slug: ExecuteMetaToolBody["slug"]): JsonObject {
  const successful = flag("Whether it succeeded.");
  return objectSchema({ data: DATA[slug], successful, "error?": orNull("string") });
}

/** The `data` of each meta tool's output, as published. Assumption E44. */
const DATA: Readonly<Record<ExecuteMetaToolBody["slug"], JsonObject>> = {
  SVC_SEARCH_TOOLS: objectSchema({
    results: list(
      objectSchema({
        index: whole("Number of the query, from 1."),
        use_case: text("The task."),
        primary_tool_slugs: strings,
        related_tool_slugs: strings,
        toolkits: strings,
        reasoning: text("Why these tools."),
        task_difficulty: text("How hard the task is."),
        "recommended_plan_steps?": strings,
        "known_pitfalls?": strings,
        "error?": orNull("string"),
      }),
      "One per query.",
    ),
    tool_schemas: mapOf({ type: "object" }),
    toolkit_connection_statuses: list({ type: "object" }, "Whether the user is connected."),
    time_info: { type: "object" },
    session: objectSchema({ id: session_id, generate_id: flag("Whether the id is new."), instructions: text("") }),
    next_steps_guidance: strings,
  }),
  SVC_GET_TOOL_SCHEMAS: objectSchema({
    success: flag("Whether all were found."),
    tool_schemas: mapOf(
      objectSchema({
        ...{ toolkit: text("Slug of the toolkit."), tool_slug: text("Slug of the tool."), description: text("") },
        ...{ "input_schema?": { type: "object" }, "output_schema?": { type: "object" } },
      }),
    ),
    "not_found?": strings,
    "suggestions?": mapOf({ ...strings, maxItems: 3 }),
    "not_found_message?": text("What to do about them."),
  }),
  SVC_MULTI_EXECUTE_TOOL: objectSchema({
    results: list(
      objectSchema({
        tool_slug: text("Slug of the tool."),
        index: whole("Place in the input, from 0."),
        "response?": anyOf(
          objectSchema({
            data: { type: "object" },
            error: orNull("string"),
            log_id: text("Starts with log_."),
            successful: flag("Whether it succeeded."),
          }),
        ),
        "error?": orNull("string"),
      }),
      "In the order of the input.",
    ),
    total_count: whole("All."),
    success_count: whole("Succeeded."),
    error_count: whole("Failed."),
    "session?": session,
    "remote_file_info?": orNull("object"),
    "next_steps?": orNull("string"),
  }),
  SVC_MANAGE_CONNECTIONS: objectSchema({
    message: text("What happened."),
    results: mapOf(
      objectSchema({
        toolkit,
        ...optional(connection),
        status: { type: "string", enum: ["active", "initiated", "failed"] },
        ...optional(nullable("instruction", "redirect_url", "account_type")),
        "was_reinitiated?": orNull("boolean"),
      }),
    ),
    "summary?": objectSchema({
      total_toolkits: whole("All."),
      active_connections: whole("Connected."),
      initiated_connections: whole("Waiting for the user."),
      failed_connections: whole("Not possible."),
    }),
    "session?": session,
  }),
  SVC_WAIT_FOR_CONNECTIONS: objectSchema({
    message: text("What happened."),
    results: mapOf(
      objectSchema({
        toolkit,
        ...connection,
        status: { type: "string", enum: ["ACTIVE", "INITIATED", "FAILED", "NOT_FOUND"] },
      }),
    ),
    "session?": session,
  }),
  SVC_REMOTE_WORKBENCH: objectSchema({
    ...{ results: { type: "string" }, ...output },
    ...optional(nullable("error", "results_file_path")),
    ...places,
  }),
  SVC_REMOTE_BASH_TOOL: objectSchema({ ...output, stdoutLines: strings, stderrLines: strings, ...places }),
};
