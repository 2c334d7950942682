import * as z from "zod/mini";
import {
  boolean,
  identifier,
  JsonObject,
  list,
  nullish,
  number,
  object,
  openEnum,
  request,
  string,
  unknown,
} from "../schema-kit.js";
import { ACCOUNT_TYPES } from "../shared.js";
import { CustomDefinitions } from "./custom-tool-schema.js";

/** Body for searching for tools. */
export const SearchToolsBody = request({
  /** 1 to 7 tasks of the agent. */
  queries: list(
    request({
      /** The task, in words. 1 to 1024 characters. */
      use_case: string.check(z.minLength(1), z.maxLength(1024)),
      /** Known facts, in words. At most 500 characters. */
      known_fields: z.optional(string.check(z.maxLength(500))),
    }),
  ).check(z.minLength(1), z.maxLength(7)),
  /** The model the result is meant for. */
  model: z.optional(string),
  /** The session's custom tools. Pass them to each call that needs them, because v3.1 doesn't store them. */
  experimental: z.optional(CustomDefinitions),
});
export interface SearchToolsBody extends z.infer<typeof SearchToolsBody> {}

/** Results for one query. */
export const ToolSearchResult = object({
  /** Number of the query, from 1. */
  index: number,
  /** The query's task. */
  use_case: string,
  /** Tools for the task. */
  primary_tool_slugs: z.array(string),
  /** Tools that may help. */
  related_tool_slugs: z.array(string),
  /** Slugs of the toolkits these tools belong to. */
  toolkits: z.array(string),
  /** A plan, in words. */
  execution_guidance: nullish(string),
  /** Difficulty, in the service's words. */
  difficulty: nullish(string),
  /** Steps of the task. */
  recommended_plan_steps: nullish(z.array(string)),
  /** Known pitfalls, in words. */
  known_pitfalls: nullish(z.array(string)),
  /** Code for the sandbox. */
  reference_workbench_snippets: nullish(z.array(object({ description: nullish(string), code: nullish(string) }))),
  /** Opaque id of the plan. */
  plan_id: nullish(string),
  error: nullish(string),
  /** Memories of earlier work, by name. */
  memory: nullish(z.record(string, z.array(string))),
});
export interface ToolSearchResult extends z.infer<typeof ToolSearchResult> {}

const accountType = nullish(openEnum(ACCOUNT_TYPES));

/** Whether the session's user is connected to a toolkit. */
export const ToolkitConnectionStatus = object({
  /** Slug of the toolkit. */
  toolkit: string,
  description: string,
  /** Whether its tools can run now. */
  has_active_connection: boolean,
  /** The state and the next step, in words. */
  status_message: string,
  /** Details of the connection. The format isn't documented. */
  connection_details: nullish(unknown),
  /** The user's identity at the toolkit. The format isn't documented. */
  current_user_info: nullish(unknown),
  /** Whether the account is the user's own or shared. */
  account_type: accountType,
  /** The user's accounts of the toolkit, if the service lists them. */
  accounts: nullish(
    z.array(
      object({
        /** Starts with `ca_`. */
        id: identifier("connectedAccountId"),
        alias: nullish(string),
        user_info: nullish(unknown),
        status: string,
        /** ISO 8601. */
        created_at: string,
        /** Whether calls use it by default. */
        is_default: boolean,
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
  toolkit: string,
  /** Slug of the tool. */
  tool_slug: string,
  description: nullish(string),
  /** JSON Schema of the arguments. */
  input_schema: nullish(JsonObject),
  /** JSON Schema of the result. */
  output_schema: nullish(JsonObject),
  /** False if the schemas are omitted. Then `schemaRef` has the call that returns them. */
  hasFullSchema: nullish(boolean),
  /** The meta tool that returns the schemas, with its arguments. */
  schemaRef: nullish(
    object({
      tool: openEnum(["SVC_GET_TOOL_SCHEMAS"]),
      args: object({ tool_slugs: z.optional(z.array(string)) }),
      message: nullish(string),
    }),
  ),
});
export interface FoundToolSchema extends z.infer<typeof FoundToolSchema> {}

/** Results of a search for tools. */
export const ToolSearch = object({
  success: boolean,
  error: z.nullable(string),
  /** One result per query. */
  results: z.array(ToolSearchResult),
  /** Connection status of each toolkit. */
  toolkit_connection_statuses: z.array(ToolkitConnectionStatus),
  /** Schemas by tool slug. */
  tool_schemas: z.record(string, FoundToolSchema),
  /** The current time, for agents that don't know it. */
  time_info: object({
    /** ISO 8601. */
    current_time_utc: string,
    /** Seconds since 1970. */
    current_time_utc_epoch_seconds: number,
    message: string,
  }),
  /** The session, and how the agent continues in it. */
  session: object({
    id: string,
    generate_id: unknown,
    instructions: string,
  }),
  /** The agent's next step, in words. */
  next_steps_guidance: z.array(string),
});
export interface ToolSearch extends z.infer<typeof ToolSearch> {}
