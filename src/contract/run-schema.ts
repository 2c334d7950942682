import * as z from "zod/mini";
import { boolean, list, number, object, request, string, unknown } from "../resources/schema-kit.js";
import { CALL_STATUSES } from "../shared/tools.js";

const text = z.optional(string);
const orNull = z.nullable(string);

/** A step of a call, as a toolset reports it to an emulator on this machine. */
export const RunStep = request({
  /** The type of the toolset's event. */
  type: z.enum(["decided", "approval", "started", "finished", "record_failed"]),
  /** Milliseconds since the turn started, in real time. */
  ms: number,
  /** When it happened, in milliseconds since 1970, in real time. */
  realTime: z.optional(number),
  /** The tool that the policy evaluated. For a tool that runs other tools, there is a decision for each. */
  tool: text,
  /** Outcome of the decision, approval, or call. */
  outcome: text,
  /** Name of the rule that decided, or its position: `rules[0]`. */
  rule: text,
  /** Why the call doesn't run, or needs an approval. */
  reason: text,
  /** Labels of the conversation that the policy compared. */
  labels: z.optional(list(string)),
  /** Milliseconds that a started call waited for the rate limit. */
  waitedMs: z.optional(number),
  /** The person who approved or denied the call. */
  approver: text,
  /** Id of the request that waits for approval. */
  requestId: text,
  /** The error that was thrown. */
  error: text,
});
export interface RunStep extends Readonly<z.infer<typeof RunStep>> {}

/** How a call ended, as in its result. `running` until then, `aborted` if the program aborted it. */
export const RunStatus = z.enum(["running", ...CALL_STATUSES, "aborted"]);
export type RunStatus = z.infer<typeof RunStatus>;

/** A request to approve a call in the inspector. */
export const RunQuestion = request({
  /** Random id. A decision counts only for the request that it names. */
  id: string,
  /** The text of `describeApproval`, without secrets. */
  text: string,
  /** When the request expires, ISO 8601, in real time. */
  expiresAt: string,
});
export interface RunQuestion extends Readonly<z.infer<typeof RunQuestion>> {}

/** A decision made in the inspector. */
export const RunDecision = request({
  /** Whether the call may run. */
  approved: boolean,
  /** Why the call was denied, for the model. Null without a reason. */
  reason: orNull,
});
export interface RunDecision extends Readonly<z.infer<typeof RunDecision>> {}

/** The called tool. */
export const RunTool = request({
  /** Its slug, or the name of a local tool. */
  name: string,
  /** `service`, `meta`, or `local`. */
  kind: string,
  /** Slug of the toolkit. Null for a local tool. */
  toolkit: orNull,
  /** The version that runs. Null for a local tool and in a session. */
  version: orNull,
  /** Hints such as `readOnlyHint`. */
  tags: list(string),
});
export interface RunTool extends Readonly<z.infer<typeof RunTool>> {}

/** How much of one limit of a budget was used when the policy had evaluated a call. */
export const RunBudget = request({
  /** The budget's id or name; without either, its place in the policy. */
  budget: string,
  /** The counted unit, such as `calls` or `calls of GITHUB_CREATE_AN_ISSUE`. */
  unit: string,
  /** The most that may count in the period. */
  limit: number,
  /** How much counted. It can exceed a limit that was lowered. */
  used: number,
  /** How much was left: at least 0. */
  left: number,
  /** Length of the period in milliseconds. Null for one that never ends. */
  windowMs: z.nullable(number),
  /** Which calls share the budget: of the user, of the conversation, or all. */
  per: z.enum(["user", "conversation", "all"]),
  /** When it was read, in milliseconds since 1970, in real time. */
  realTime: number,
});
export interface RunBudget extends Readonly<z.infer<typeof RunBudget>> {}

/** Facts about a call that a toolset reports. Each report has only new facts. */
export const RunFacts = request({
  /** The model's id of the call. */
  callId: string,
  /** The name that the model called. */
  name: string,
  /** The tool. Null if no tool has the name. */
  tool: z.nullable(RunTool),
  /** The toolset's `conversationId`, or null. */
  conversationId: orNull,
  /** Id of the agent session, or null. */
  sessionId: orNull,
  /** The user that the call is for. Null if the user isn't known. */
  userId: orNull,
  /** The same for all calls of a model's turn. */
  turn: string,
  /** When the turn started, in milliseconds since 1970, in real time. */
  realTime: number,
  /** The arguments that the tool gets. If they were rejected, the model's own. */
  arguments: unknown,
  /** How the call ended. */
  status: RunStatus,
  /** Id of the chosen connected account. Null if the service chooses. */
  accountId: orNull,
  /** The request for approval in the inspector. Null without a request, or once the call went on. */
  question: z.nullable(RunQuestion),
  /** The budgets that count the call. */
  budgets: list(RunBudget),
  /** The string for the model: JSON, or a sentence. */
  result: string,
  /** Whether this is the recorded result of an earlier run. */
  isReplay: boolean,
  /** Milliseconds from the start of the turn to the end of the call, in real time. */
  durationMs: number,
  /** Number of the toolset's tools, and the tokens that their definitions take. */
  definitions: request({ tools: number, estimatedTokens: number }),
});
export interface RunFacts extends Readonly<z.infer<typeof RunFacts>> {}

/** A report about a call: new facts, and at most one step. */
export const RunReport = request({
  /** The same in every report of a call, from every process. */
  id: string.check(z.regex(/^[0-9a-f]{16}$/)),
  // JSON has no `undefined`.
  facts: z.optional(z.partial(RunFacts) as z.ZodMiniType<Partial<RunFacts>>),
  step: z.optional(RunStep),
});
export interface RunReport extends Readonly<z.infer<typeof RunReport>> {}

/** A model's call of a tool, as its toolset reported it. Credentials are masked. */
export const RunCall = object({
  ...RunFacts.shape,
  /** The same for a call that waits for approval and runs later, even in another process. */
  id: string,
  /** When the first report arrived, ISO 8601, by the emulator's clock. */
  at: string,
  /** The first 16,384 characters of the JSON. */
  arguments: string,
  /** The first 16,384 characters of the string for the model. Empty until the turn ends. */
  result: string,
  /** The decision on `question`, until the call goes on. Null without a decision. */
  decision: z.nullable(RunDecision),
  /** The latest steps, at most 100. */
  steps: list(RunStep),
});
export interface RunCall extends Readonly<z.infer<typeof RunCall>> {}

/** Takes the reports of toolsets in the same process. */
export type TakeReports = (reports: readonly RunReport[]) => void;

/** The `fetch` of an emulator in this process, to which toolsets of its clients report. */
export interface ReportingFetch {
  readonly report: TakeReports;
}
