import * as z from "zod/mini";
import { JsonObject, object, string } from "../../resources/schema-kit.js";

/** One execution of a tool, by your code or by a session. */
export const ToolRun = object({
  /** The `log_id` of its response. */
  logId: string,
  /** When it started, ISO 8601, by the emulator's clock. */
  at: string,
  /** The tool. */
  tool: string,
  /** Its version. */
  version: z.nullable(string),
  /** The end user it ran for; null if it had none. */
  userId: z.nullable(string),
  /** The connected account; null if it had none. */
  accountId: z.nullable(string),
  /** The session it ran in; null outside of sessions. */
  sessionId: z.nullable(string),
  /** The arguments as sent. */
  arguments: JsonObject,
  /** The `data` of the response. */
  result: JsonObject,
  /** Why it failed; null if it didn't. Arguments that don't match the tool's schema are a failure. */
  error: z.nullable(string),
  /** The origin of the result: the tool itself, a stub, or the sample generator of a catalog. */
  source: z.enum(["tool", "stub", "sample"]),
});
export interface ToolRun extends Readonly<z.infer<typeof ToolRun>> {}
