import type { ExecuteMetaToolBody } from "../../../resources/tool-router/call-schema.js";
import { PINNED_VERSION } from "../catalog.js";
import { type JsonObject, list, objectSchema, text } from "../definitions.js";
import { metaOutput } from "./svc-results.js";

/** The slug of a meta tool. */
export type MetaSlug = ExecuteMetaToolBody["slug"];

/** Whether a slug is that of a meta tool. */
export function isMetaSlug(slug: string): slug is MetaSlug {
  return Object.hasOwn(FACTS, slug);
}

/** A meta tool in its only version. Its toolkit isn't in the catalog. */
export function metaTool(slug: MetaSlug) {
  const tool = { slug, ...FACTS[slug], output: metaOutput(slug) };
  return { toolkit: SVC, tool, version: PINNED_VERSION, versions: [PINNED_VERSION], facts: tool };
}

const SVC = { slug: "svc", name: "Svc", auth: [] };

const flag = (description: string): JsonObject => ({ type: "boolean", description });
const session_id = text("The id that the search returned in data.session.id.");
const step = {
  "thought?": text("Why the call is made."),
  "current_step?": text("Current step of the plan."),
  "current_step_metric?": text("Progress of that step."),
  "session_id?": session_id,
};
const toolkits = list({ type: "string" }, "Slugs of toolkits.");

interface MetaFacts {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  readonly tags: readonly string[];
}

/** The meta tools, with their published arguments. Assumption E44. */
const FACTS: Readonly<Record<MetaSlug, MetaFacts>> = {
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
    tags: ["readOnlyHint", "idempotentHint"],
  },
  SVC_REMOTE_WORKBENCH: {
    name: "Remote workbench",
    description: "Runs Python code in the session's sandbox, for at most 180 seconds.",
    input: objectSchema({ code_to_execute: text("Python code."), ...step }),
    tags: ["destructiveHint", "openWorldHint"],
  },
  SVC_REMOTE_BASH_TOOL: {
    name: "Remote bash",
    description: "Runs a shell command in the session's sandbox, for at most 180 seconds.",
    input: objectSchema({ command: text("The command."), "session_id?": session_id }),
    tags: ["destructiveHint", "openWorldHint"],
  },
};
