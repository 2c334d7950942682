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
  /** The outcome of the decision, of the approval, or of the call. */
  outcome: text,
  /** The rule that decided, as its policy names it. */
  rule: text,
  /** Why the call doesn't run, or needs an approval. */
  reason: text,
  /** The person who approved or denied the call. */
  approver: text,
  /** Id of the request that waits for approval. */
  requestId: text,
  /** The error that was thrown. */
  error: text,
});
export interface RunStep extends Readonly<z.infer<typeof RunStep>> {}

/** How a call ended, as in its result; `running` until then, `aborted` if the program gave it up. */
export const RunStatus = z.enum(["running", ...CALL_STATUSES, "aborted"]);
export type RunStatus = z.infer<typeof RunStatus>;

/** A question whether a call may run, for the person at the inspector. */
export const RunQuestion = request({
  /** Random. A decision counts only for the question that it names. */
  id: string,
  /** Everything that the person must see, in the words of `describeApproval`, without secrets. */
  text: string,
  /** Until when it can be decided, ISO 8601, in real time. */
  expiresAt: string,
});
export interface RunQuestion extends Readonly<z.infer<typeof RunQuestion>> {}

/** The decision of the person at the inspector. */
export const RunDecision = request({
  /** Whether the call may run. */
  approved: boolean,
  /** Why it was denied, for the model; null without a reason. */
  reason: orNull,
});
export interface RunDecision extends Readonly<z.infer<typeof RunDecision>> {}

/** The called tool. */
export const RunTool = request({
  /** Its slug, or the name of a local tool. */
  name: string,
  /** `service`, `meta`, or `local`. */
  kind: string,
  /** Slug of the toolkit; null for a local tool. */
  toolkit: orNull,
  /** The version that runs; null for a local tool, and in a session. */
  version: orNull,
  /** Hints such as `readOnlyHint`. */
  tags: list(string),
});
export interface RunTool extends Readonly<z.infer<typeof RunTool>> {}

/** Facts of a call that a toolset reports. Each report of a call has the new facts. */
export const RunFacts = request({
  /** The model's id of the call. */
  callId: string,
  /** The name that the model called. */
  name: string,
  /** The tool; null if no tool has the name. */
  tool: z.nullable(RunTool),
  /** The toolset's `conversationId`; null without one. */
  conversationId: orNull,
  /** The agent session; null without one. */
  sessionId: orNull,
  /** The user that the call is for; null if it isn't known. */
  userId: orNull,
  /** The same for all calls of a model's turn. */
  turn: string,
  /** When the turn started, in milliseconds since 1970, in real time. */
  realTime: number,
  /** As the tool gets them; as the model wrote them if they were rejected. */
  arguments: unknown,
  /** How the call ended. */
  status: RunStatus,
  /** The connected account that was chosen; null if the service chooses. */
  accountId: orNull,
  /** The program's question to the person at the inspector; null if it doesn't ask, or the call went on. */
  question: z.nullable(RunQuestion),
  /** The text for the model: JSON, or a sentence. */
  result: string,
  /** True if the call had run before, and this is the recorded result. */
  isReplay: boolean,
  /** Milliseconds from the start of the turn to the end of the call, in real time. */
  durationMs: number,
  /** How much of the model's context the definitions of the toolset's tools take. */
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

/** A call of a tool by a model, as the toolset that ran it reported it. Credentials are masked. */
export const RunCall = object({
  ...RunFacts.shape,
  /** The same for a call that waits for approval and runs later, even in another process. */
  id: string,
  /** When the first report came, ISO 8601, by the emulator's clock. */
  at: string,
  /** The first 16,384 characters of the JSON. */
  arguments: string,
  /** The first 16,384 characters of what the model reads; empty until the turn ends. */
  result: string,
  /** The decision on `question`, until the call goes on; null without one. */
  decision: z.nullable(RunDecision),
  /** At most 100. */
  steps: list(RunStep),
});
export interface RunCall extends Readonly<z.infer<typeof RunCall>> {}
