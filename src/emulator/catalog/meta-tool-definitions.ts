import type { JsonObject } from "../../resources/schema-kit.js";
import type { ExecuteMetaToolBody } from "../../resources/tool-router/call-schema.js";
import { PINNED_VERSION } from "./catalog.js";
import { list, objectSchema, text, whole } from "./definitions.js";

/** The slug of a meta tool. */
export type MetaSlug = ExecuteMetaToolBody["slug"];

/** Whether a slug is that of a meta tool. */
export function isMetaSlug(slug: string): slug is MetaSlug {
  return Object.hasOwn(FACTS, slug);
}

/** A meta tool in its only version. Its toolkit isn't in the catalog. */
export function metaTool(slug: MetaSlug) {
  const { data, ...facts } = FACTS[slug];
  const output = objectSchema({ data, successful: flag("Whether it succeeded."), "error?": orNull("string") });
  const tool = { slug, ...facts, output };
  return { toolkit: SVC, tool, version: PINNED_VERSION, versions: [PINNED_VERSION], facts: tool };
}

const SVC = { slug: "svc", name: "Svc", auth: [] };

const flag = (description: string): JsonObject => ({ type: "boolean", description });
const orNull = (type: string): JsonObject => ({ type: [type, "null"] });
const anyOf = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });
const mapOf = (schema: JsonObject): JsonObject => ({ type: "object", additionalProperties: schema });
const strings = list({ type: "string" }, "");
const optional = (fields: Record<string, JsonObject>) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [`${name}?`, schema]));
const nullable = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, orNull("string")]));

const session_id = text("The id that the search returned in data.session.id.");
const session = anyOf(objectSchema({ id: session_id, instructions: text("How to go on.") }));
const toolkit = text("Slug of the toolkit.");
const connection = {
  has_active_connection: orNull("boolean"),
  current_user_info: orNull("object"),
  ...nullable("auth_config_id", "connected_account_id", "created_at", "error_message"),
};
const output = { stdout: { type: "string" }, stderr: { type: "string" } };
const places = optional({ ...nullable("stdout_file_path", "stderr_file_path", "sandbox_id_suffix"), session });
const step = {
  "thought?": text("Why the call is made."),
  "current_step?": text("Current step of the plan."),
  "current_step_metric?": text("Progress of that step."),
  "session_id?": session_id,
};
const toolkits = list({ type: "string" }, "Slugs of toolkits.");

/** The meta tools, with their published arguments and the `data` of their results. Assumption E44. */
const FACTS = {
  SVC_SEARCH_TOOLS: {
    name: "Search tools",
    description: "Finds tools for a use case, with their schemas and connection statuses.",
    input: objectSchema({
      queries: {
        ...list(
          objectSchema({
            use_case: { type: "string", minLength: 1, maxLength: 1024, description: "The task." },
            "known_fields?": text("Values already known."),
          }),
          "The tasks.",
        ),
        minItems: 1,
      },
      "session?": objectSchema({ "id?": session_id, "generate_id?": flag("Whether to start a new workflow.") }),
      "model?": text("The calling model."),
      "search_strategy?": { type: "string", enum: ["auto", "tool_search"], default: "auto" },
    }),
    data: objectSchema({
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
    tags: ["important", "readOnlyHint", "openWorldHint"],
  },
  SVC_GET_TOOL_SCHEMAS: {
    name: "Get tool schemas",
    description: "Returns schemas of tools by slug.",
    input: objectSchema({
      tool_slugs: list({ type: "string" }, "Slugs of tools."),
      "include?": {
        ...list({ type: "string", enum: ["input_schema", "output_schema"] }, "Which schemas."),
        default: ["input_schema"],
      },
      "session_id?": session_id,
    }),
    data: objectSchema({
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
    tags: ["readOnlyHint"],
  },
  SVC_MULTI_EXECUTE_TOOL: {
    name: "Execute tools",
    description: "Runs tools for the session's user. Always pass memory: what you have learned, by toolkit.",
    input: objectSchema({
      tools: {
        ...list(
          objectSchema({
            tool_slug: text("Slug of the tool."),
            arguments: { type: "object", description: "Arguments that match its input schema." },
            "account?": text("Id or alias of the connected account."),
          }),
          "The executions.",
        ),
        ...{ minItems: 1, maxItems: 50 },
      },
      sync_response_to_workbench: flag("Copy the results to the sandbox."),
      "memory?": { type: "object", additionalProperties: list({ type: "string" }, "") },
      ...step,
    }),
    data: objectSchema({
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
    tags: ["important", "destructiveHint", "openWorldHint"],
  },
  SVC_MANAGE_CONNECTIONS: {
    name: "Manage connections",
    description: "Reports which toolkits are connected, and creates link pages for the others.",
    input: objectSchema({
      toolkits,
      "reinitiate_all?": { ...flag("Reconnect connected toolkits."), default: false },
      "session_id?": session_id,
    }),
    data: objectSchema({
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
    tags: ["destructiveHint", "openWorldHint"],
  },
  SVC_WAIT_FOR_CONNECTIONS: {
    name: "Wait for connections",
    description: "Reports whether the user has connected toolkits.",
    input: objectSchema({
      toolkits: { ...toolkits, minItems: 1 },
      "mode?": { type: "string", enum: ["any", "all"], default: "any" },
      "session_id?": session_id,
    }),
    data: objectSchema({
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
    tags: ["readOnlyHint", "idempotentHint"],
  },
  SVC_REMOTE_WORKBENCH: {
    name: "Remote workbench",
    description: "Runs Python code in the session's sandbox, for at most 180 seconds.",
    input: objectSchema({ code_to_execute: text("Python code."), ...step }),
    data: objectSchema({
      ...{ results: { type: "string" }, ...output },
      ...optional(nullable("error", "results_file_path")),
      ...places,
    }),
    tags: ["destructiveHint", "openWorldHint"],
  },
  SVC_REMOTE_BASH_TOOL: {
    name: "Remote bash",
    description: "Runs a shell command in the session's sandbox, for at most 180 seconds.",
    input: objectSchema({ command: text("The command."), "session_id?": session_id }),
    data: objectSchema({ ...output, stdoutLines: strings, stderrLines: strings, ...places }),
    tags: ["destructiveHint", "openWorldHint"],
  },
} satisfies Readonly<Record<MetaSlug, object>>;
