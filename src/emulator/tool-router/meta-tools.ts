import type { ExecuteMetaToolBody, ToolRouterConfig } from "../../resources/tool-router/schema.js";
import { type JsonObject, list, objectSchema, text } from "../catalog/definitions.js";

/** The slug of a meta tool. */
export type MetaSlug = ExecuteMetaToolBody["slug"];

/** A tool for an agent to work with its session. */
export interface MetaTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  readonly tags: readonly string[];
  /** Whether a session with this configuration exposes it. */
  isExposed(config: ToolRouterConfig): boolean;
}

const session_id = text("Id of the session.");

const thought = text("Why the call is made.");

const toolkitSlugs = list({ type: "string" }, "Slugs of toolkits.");

/** The meta tools, with their published arguments. See assumption E44. */
export const META_TOOLS: Readonly<Record<MetaSlug, MetaTool>> = {
  SVC_SEARCH_TOOLS: {
    name: "Search tools",
    description: "Finds tools for a use case, with their schemas and connection statuses.",
    input: objectSchema(
      {
        queries: {
          ...list(
            objectSchema(
              {
                use_case: { type: "string", minLength: 1, maxLength: 1024, description: "The task." },
                known_fields: { type: "string", maxLength: 500, description: "Values already known." },
              },
              ["known_fields"],
            ),
            "1 to 7 tasks.",
          ),
          minItems: 1,
          maxItems: 7,
        },
        session: { type: "object", description: "The session the search belongs to." },
        model: text("The calling model."),
      },
      ["session", "model"],
    ),
    tags: ["readOnlyHint"],
    isExposed: ({ search }) => search.enable !== false,
  },
  SVC_GET_TOOL_SCHEMAS: {
    name: "Get tool schemas",
    description: "Returns schemas of tools by slug.",
    input: objectSchema(
      {
        tool_slugs: list({ type: "string" }, "Slugs of tools."),
        include: list({ type: "string" }, "Which schemas: input_schema, output_schema. Both by default."),
        session_id,
      },
      ["include", "session_id"],
    ),
    tags: ["readOnlyHint"],
    isExposed: () => true,
  },
  SVC_MULTI_EXECUTE_TOOL: {
    name: "Execute tools",
    description: "Runs one or more tools for the session's user.",
    input: objectSchema(
      {
        tools: {
          ...list(
            objectSchema(
              {
                tool_slug: text("Slug of the tool."),
                arguments: { type: "object", description: "Arguments that match its input schema." },
                account: text("Id or alias of the connected account."),
              },
              ["arguments", "account"],
            ),
            "The executions.",
          ),
          minItems: 1,
        },
        sync_response_to_workbench: { type: "boolean", description: "Copy the results to the sandbox." },
        thought,
        session_id,
        current_step: text("Current step of the plan."),
        current_step_metric: text("Progress of that step."),
      },
      ["thought", "session_id", "current_step", "current_step_metric"],
    ),
    tags: ["destructiveHint", "openWorldHint"],
    isExposed: ({ execute }) => execute.enable_multi_execute !== false,
  },
  SVC_MANAGE_CONNECTIONS: {
    name: "Manage connections",
    description: "Reports which toolkits are connected, and creates link pages for the others.",
    input: objectSchema(
      {
        toolkits: toolkitSlugs,
        reinitiate_all: { type: "boolean", description: "Reconnect connected toolkits." },
        session_id,
      },
      ["reinitiate_all", "session_id"],
    ),
    tags: [],
    isExposed: ({ manage_connections }) => manage_connections?.enabled !== false,
  },
  SVC_WAIT_FOR_CONNECTIONS: {
    name: "Wait for connections",
    description: "Reports whether the user has connected toolkits.",
    input: objectSchema({ toolkits: toolkitSlugs, session_id }, ["session_id"]),
    tags: ["readOnlyHint"],
    isExposed: ({ manage_connections }) => manage_connections?.enable_wait_for_connections === true,
  },
  SVC_REMOTE_WORKBENCH: {
    name: "Remote workbench",
    description: "Runs Python code in the session's sandbox.",
    input: objectSchema({ code_to_execute: text("Python code."), thought, session_id }, ["thought", "session_id"]),
    tags: ["destructiveHint", "openWorldHint"],
    isExposed: ({ workbench }) => workbench?.enable !== false,
  },
  SVC_REMOTE_BASH_TOOL: {
    name: "Remote bash",
    description: "Runs a shell command in the session's sandbox.",
    input: objectSchema({ command: text("The command."), session_id }, ["session_id"]),
    tags: ["destructiveHint", "openWorldHint"],
    isExposed: ({ workbench }) => workbench?.enable !== false,
  },
};

/** Whether a slug is that of a meta tool. */
export function isMetaSlug(slug: string): slug is MetaSlug {
  return Object.hasOwn(META_TOOLS, slug);
}

/** Meta tools a session exposes. */
export function exposedMetaTools(config: ToolRouterConfig): [MetaSlug, MetaTool][] {
  return Object.entries(META_TOOLS).flatMap(([slug, tool]): [MetaSlug, MetaTool][] =>
    isMetaSlug(slug) && tool.isExposed(config) ? [[slug, tool]] : [],
  );
}
