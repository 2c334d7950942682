import * as z from "zod/mini";
import { JsonObject, nullish, object, openEnum, request } from "../../schema-kit.js";
import { pageQuery } from "../shared.js";

/** A condition on a field of the log. */
export const ToolExecutionLogFilter = request({
  /** What is looked at. */
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
  /** How it is compared with `value`. */
  operator: z.enum(["==", "!=", "contains", "not_contains"]),
  /** A text. See assumption R10. */
  value: z.string(),
});
/** A condition on a field of the log. */
export interface ToolExecutionLogFilter extends z.infer<typeof ToolExecutionLogFilter> {}

/** Filters of the execution log. */
export const ListToolExecutionLogsBody = request({
  ...pageQuery,
  /** Entries per page, from 1 to 100. The default is 20. */
  limit: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(100))),
  /** All of them must hold. */
  filters: z.optional(z.array(ToolExecutionLogFilter)),
  /** When it ran. */
  time_range: z.optional(
    request({
      /** Milliseconds since 1970. */
      from: z.number(),
      /** Milliseconds since 1970. */
      to: z.number(),
    }),
  ),
});
/** Filters of the execution log. */
export interface ListToolExecutionLogsBody extends z.infer<typeof ListToolExecutionLogsBody> {}

/** One execution of a tool, as lists show it. See assumption R10. */
export const ToolExecutionLog = object({
  /** Starts with `log_`. */
  id: z.string(),
  /** ISO 8601. */
  timestamp: z.string(),
  /** The kind of entry. The kinds are not documented. */
  type: z.string(),
  /** How the execution went. */
  status: openEnum(["success", "failed"]),
  /** How much attention it deserves. */
  level: openEnum(["info", "error", "warn"]),
  /** What happened, in words. */
  message: nullish(z.string()),
  /** What it was about: tool, account, user. Its keys are not documented. */
  metadata: JsonObject,
  /** How long it took. Its keys are not documented. */
  metrics: JsonObject,
  /** The execution it was part of; null for one of its own. */
  parent: z.nullable(
    object({
      /** Starts with `log_`. */
      log_id: z.optional(z.string()),
      tool_slug: z.optional(z.string()),
    }),
  ),
});
/** One execution of a tool, as lists show it. See assumption R10. */
export interface ToolExecutionLog extends z.infer<typeof ToolExecutionLog> {}

/** A page of the execution log. It has no totals. */
export const ToolExecutionLogPage = object({
  /** The entries. */
  logs: z.array(ToolExecutionLog),
  /** Opaque mark of the next page; null on the last one. */
  next_cursor: z.nullable(z.string()),
});
/** A page of the execution log. It has no totals. */
export interface ToolExecutionLogPage extends z.infer<typeof ToolExecutionLogPage> {}

const moment = nullish(z.union([z.string(), z.number()]));

/** One execution of a tool with everything about it. */
export const ToolExecutionLogDetail = object({
  ...ToolExecutionLog.shape,
  /** When it ran. Text or number: the form is not documented. */
  timings: nullish(object({ start_time: moment, end_time: moment })),
  /** What it belongs to. */
  context: object({
    /** The agent session, where it ran in one. */
    session_id: nullish(z.string()),
    trace_id: nullish(z.string()),
    request_id: nullish(z.string()),
  }),
  /** What called it. */
  source: object({
    host: nullish(z.string()),
    framework: nullish(z.string()),
    language: nullish(z.string()),
  }),
  /** What the tool took and gave, where the project stores it. */
  data: z.unknown(),
});
/** One execution of a tool with everything about it. */
export interface ToolExecutionLogDetail extends z.infer<typeof ToolExecutionLogDetail> {}
