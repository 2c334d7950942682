import * as z from "zod/mini";
import { JsonObject, list, nullish, number, object, openEnum, request, string, unknown } from "../schema-kit.js";
import { pageQuery } from "../shared.js";

/** A condition on a field of the log. */
export const ToolExecutionLogFilter = request({
  /** The field to compare. */
  field: z.enum([
    "tool_slug",
    "toolkit_slug",
    "connected_account_id",
    "auth_config_id",
    "status",
    "user_id",
    "session_id",
    "sandbox_id",
    "request_id",
    "log_id",
  ]),
  /** How to compare it with `value`. */
  operator: z.enum(["==", "!=", "contains", "not_contains"]),
  /** The value to compare with. */
  value: string,
});
export interface ToolExecutionLogFilter extends z.infer<typeof ToolExecutionLogFilter> {}

/** Filters of the execution log. */
export const ListToolExecutionLogsBody = request({
  ...pageQuery,
  /** Executions per page, from 1 to 100. The default is 20. */
  limit: z.optional(number.check(z.int(), z.minimum(1), z.maximum(100))),
  /** Conditions that an execution must match, all of them. */
  filters: z.optional(list(ToolExecutionLogFilter)),
  /** When the executions ran. */
  time_range: z.optional(
    request({
      /** Milliseconds since 1970. */
      from: number,
      /** Milliseconds since 1970. */
      to: number,
    }),
  ),
});
export interface ListToolExecutionLogsBody extends z.infer<typeof ListToolExecutionLogsBody> {}

/** An execution of a tool, as in lists. */
export const ToolExecutionLog = object({
  /** Starts with `log_`. */
  id: string,
  /** ISO 8601. */
  timestamp: string,
  /** The kind of entry. The kinds aren't documented. */
  type: string,
  /** Whether the tool succeeded. */
  status: openEnum(["success", "failed"]),
  /** Severity. */
  level: openEnum(["info", "error", "warn"]),
  /** Message about the execution. */
  message: nullish(string),
  /** The tool, account and user. The keys aren't documented. */
  metadata: JsonObject,
  /** Durations. The keys aren't documented. */
  metrics: JsonObject,
  /** The execution that this execution was part of. Null for a direct call. */
  parent: z.nullable(
    object({
      /** Starts with `log_`. */
      log_id: z.optional(string),
      tool_slug: z.optional(string),
    }),
  ),
});
export interface ToolExecutionLog extends z.infer<typeof ToolExecutionLog> {}

/** A page of the execution log. It has no totals. */
export const ToolExecutionLogPage = object({
  /** The entries. */
  logs: z.array(ToolExecutionLog),
  /** Opaque cursor of the next page. Null on the last page. */
  next_cursor: z.nullable(string),
});
export interface ToolExecutionLogPage extends z.infer<typeof ToolExecutionLogPage> {}

const moment = nullish(z.union([string, number]));

/** An execution of a tool with all its fields. */
export const ToolExecutionLogDetail = object({
  ...ToolExecutionLog.shape,
  /** When the execution ran. A string or a number: the format isn't documented. */
  timings: nullish(object({ start_time: moment, end_time: moment })),
  /** Ids of the session, trace and request. */
  context: object({
    /** The agent session, if the tool ran in a session. */
    session_id: nullish(string),
    trace_id: nullish(string),
    request_id: nullish(string),
  }),
  /** The caller. */
  source: object({
    host: nullish(string),
    framework: nullish(string),
    language: nullish(string),
  }),
  /** The tool's input and output, if the project stores them. */
  data: unknown,
});
export interface ToolExecutionLogDetail extends z.infer<typeof ToolExecutionLogDetail> {}
