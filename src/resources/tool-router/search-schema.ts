import * as z from "zod/mini";
import { identifier, JsonObject, nullish, object, openEnum, request } from "../schema-kit.js";
import { CustomDefinitions } from "./custom-tool-schema.js";

/** Body for searching for tools. */
export const SearchToolsBody = request({
  /** 1 to 7 tasks of the agent. */
  queries: z
    .array(
      request({
        /** The task, in words; 1 to 1024 characters. */
        use_case: z.string().check(z.minLength(1), z.maxLength(1024)),
        /** Known facts, in words; at most 500 characters. */
        known_fields: z.optional(z.string().check(z.maxLength(500))),
      }),
    )
    .check(z.minLength(1), z.maxLength(7)),
  /** The model the result is meant for. */
  model: z.optional(z.string()),
  /** The session's custom tools again: they aren't stored on v3.1. See assumption R3. */
  experimental: z.optional(CustomDefinitions),
});
export interface SearchToolsBody extends z.infer<typeof SearchToolsBody> {}

/** Results for one query. */
export const ToolSearchResult = object({
  /** Number of the query, from 1. */
  index: z.number(),
  /** The query's task. */
  use_case: z.string(),
  /** Tools for the task. */
  primary_tool_slugs: z.array(z.string()),
  /** Tools that may help. */
  related_tool_slugs: z.array(z.string()),
  /** Slugs of the toolkits these tools belong to. */
  toolkits: z.array(z.string()),
  /** A plan, in words. */
  execution_guidance: nullish(z.string()),
  /** Difficulty, in the service's words. */
  difficulty: nullish(z.string()),
  /** Steps of the task. */
  recommended_plan_steps: nullish(z.array(z.string())),
  /** Known pitfalls, in words. */
  known_pitfalls: nullish(z.array(z.string())),
  /** Code for the sandbox. */
  reference_workbench_snippets: nullish(
    z.array(object({ description: nullish(z.string()), code: nullish(z.string()) })),
  ),
  /** Opaque. */
  plan_id: nullish(z.string()),
  error: nullish(z.string()),
  /** Memories of earlier work, by name. */
  memory: nullish(z.record(z.string(), z.array(z.string()))),
});
export interface ToolSearchResult extends z.infer<typeof ToolSearchResult> {}

const accountType = nullish(openEnum(["PRIVATE", "SHARED"]));

/** Whether the session's user is connected to a toolkit. */
export const ToolkitConnectionStatus = object({
  /** Slug of the toolkit. */
  toolkit: z.string(),
  description: z.string(),
  /** Whether its tools can run now. */
  has_active_connection: z.boolean(),
  /** The state and the next step, in words. */
  status_message: z.string(),
  /** Details of the connection; its format isn't documented. */
  connection_details: nullish(z.unknown()),
  /** The user's identity at the toolkit; its format isn't documented. */
  current_user_info: nullish(z.unknown()),
  /** Whether the account is the user's own or shared. */
  account_type: accountType,
  /** The user's accounts of it, if listed. */
  accounts: nullish(
    z.array(
      object({
        /** Starts with `ca_`. */
        id: identifier("connectedAccountId"),
        alias: nullish(z.string()),
        user_info: nullish(z.unknown()),
        status: z.string(),
        /** ISO 8601. */
        created_at: z.string(),
        /** Whether calls use it by default. */
        is_default: z.boolean(),
        account_type: accountType,
      }),
    ),
  ),
  /** `required`: calls must select an account. */
  account_selection: nullish(openEnum(["required"])),
});
export interface ToolkitConnectionStatus extends z.infer<typeof ToolkitConnectionStatus> {}

/** Schemas of a tool, or how to get them. */
export const FoundToolSchema = object({
  /** Slug of the toolkit. */
  toolkit: z.string(),
  /** Slug of the tool. */
  tool_slug: z.string(),
  description: nullish(z.string()),
  /** JSON Schema of the arguments. */
  input_schema: nullish(JsonObject),
  /** JSON Schema of the result. */
  output_schema: nullish(JsonObject),
  /** False if the schemas are omitted; `schemaRef` then has the call that gets them. */
  hasFullSchema: nullish(z.boolean()),
  /** The meta tool that returns the schemas, with its arguments. */
  schemaRef: nullish(
    object({
      tool: openEnum(["SVC_GET_TOOL_SCHEMAS"]),
      args: object({ tool_slugs: z.optional(z.array(z.string())) }),
      message: nullish(z.string()),
    }),
  ),
});
export interface FoundToolSchema extends z.infer<typeof FoundToolSchema> {}

/** Results of a search for tools. */
export const ToolSearch = object({
  success: z.boolean(),
  error: z.nullable(z.string()),
  /** One per query. */
  results: z.array(ToolSearchResult),
  /** Whether the user is connected to the toolkits, one entry each. */
  toolkit_connection_statuses: z.array(ToolkitConnectionStatus),
  /** By tool slug. */
  tool_schemas: z.record(z.string(), FoundToolSchema),
  /** The current time, for agents that don't know it. */
  time_info: object({
    /** ISO 8601. */
    current_time_utc: z.string(),
    /** Seconds since 1970. */
    current_time_utc_epoch_seconds: z.number(),
    message: z.string(),
  }),
  /** The session, and how the agent continues in it. */
  session: object({
    id: z.string(),
    generate_id: z.unknown(),
    instructions: z.string(),
  }),
  /** The agent's next step, in words. */
  next_steps_guidance: z.array(z.string()),
});
export interface ToolSearch extends z.infer<typeof ToolSearch> {}
