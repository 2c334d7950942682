import type { ArgumentValidator } from "../contract/arguments.js";
import type { Json } from "../shared/json.js";
import type { ToolAccounts } from "./accounts.js";
import type { AgentTool } from "./agent-tool.js";
import type { AuditTrail } from "./audit-trail.js";
import type { BoundTools } from "./bound-arguments.js";
import type { AuthRequired, Ending } from "./call-result.js";
import type { CallEvent, Observer } from "./events.js";
import type { ExecutionStore } from "./execution-store.js";
import type { FileOptions, ResultOptions } from "./files.js";
import type { Guard } from "./guard.js";
import type { RunOptions } from "./run-options.js";
import type { Settler } from "./settler.js";
import type { MiddlewareCall } from "./tool-middleware.js";
import type { LocalTool } from "./tools/local-tool.js";
import type { ToolRecord } from "./tools/read-tools.js";
import type { ToolService } from "./tools/tool-service.js";
import type { TurnOptions } from "./turn-options.js";
import type { ValueOrigins } from "./value-origins.js";

/** Parts that the calls of a toolset share. The options stay as the user gave them. */
export interface ToolsetContext
  extends FileOptions,
    Pick<TurnOptions, "concurrency">,
    Pick<ToolService, "sessionId" | "userId" | "link" | "execute"> {
  readonly conversationId?: string | undefined;
  readonly validateArguments?: ArgumentValidator | undefined;
  readonly onAuthRequired?: "throw" | ((required: AuthRequired) => unknown) | undefined;
  readonly trustHints?: boolean | undefined;
  readonly tools: readonly AgentTool[];
  /** The record of each tool of the service, by name. */
  readonly records: ReadonlyMap<string, ToolRecord>;
  readonly locals: ReadonlyMap<string, LocalTool>;
  readonly bound: BoundTools | undefined;
  /** Runs a call through the middleware, if there is any. Throws what that throws, or if its result isn't one. */
  readonly wrap:
    | ((call: MiddlewareCall, results: ResultOptions, run: (args: Json) => Promise<Ending>) => Promise<Ending>)
    | undefined;
  readonly withFiles: ReadonlySet<string>;
  /** Calls of other users, sessions or conversations have other ids, even if a model used the same. */
  readonly scope: string;
  /** `undefined` if the service chooses. */
  readonly accounts: ToolAccounts | undefined;
  readonly executions: ExecutionStore;
  readonly guard: Guard | undefined;
  readonly maxResultBytes: number;
  readonly maxTurnBytes: number;
  /** Follows the calls: beside an emulator on this machine, and for the audit. */
  readonly observer: Observer | undefined;
  readonly audit: AuditTrail | undefined;
  /** The values that results contained; `undefined` if no person is asked. */
  readonly origins: ValueOrigins | undefined;
  /** `undefined` if unknown outcomes stay unknown. */
  readonly settler: Settler | undefined;
  /** @param run - The options of the run. Needed for decisions and approvals, which the audit keeps for each run. */
  emit(event: CallEvent, run?: RunOptions): void;
}
