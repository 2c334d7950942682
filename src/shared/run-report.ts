/** A step of a call, as a toolset reports it to an emulator on this machine. */
export interface RunStep {
  /** The type of the toolset's event. */
  readonly type: "decided" | "approval" | "started" | "finished" | "record_failed";
  /** Milliseconds since the turn started, in real time. */
  readonly ms: number;
  /** The tool that the policy evaluated: of a tool that runs several others, each one. */
  readonly tool?: string | undefined;
  /** The outcome of the decision, of the approval, or of the call. */
  readonly outcome?: string | undefined;
  /** The rule that decided, as its policy names it. */
  readonly rule?: string | undefined;
  /** Why the call doesn't run, or needs an approval. */
  readonly reason?: string | undefined;
  /** The person who approved or denied the call. */
  readonly approver?: string | undefined;
  /** The error that was thrown. */
  readonly error?: string | undefined;
}

/** How a call ended, as in its result; `running` until then, `aborted` if the program gave it up. */
export type RunStatus = "running" | "succeeded" | "failed" | "not_run" | "unknown" | "pending" | "dry_run" | "aborted";

/** A question whether a call may run, for the person at the inspector. */
export interface RunQuestion {
  /** Random. A decision counts only for the question that it names. */
  readonly id: string;
  /** The pending approval: everything that the person must see. It isn't a token. */
  readonly pending: Readonly<Record<string, unknown>>;
  /** Until when it can be decided, ISO 8601, in real time. */
  readonly expiresAt: string;
}

/** The decision of the person at the inspector. */
export interface RunDecision {
  /** Whether the call may run. */
  readonly approved: boolean;
  /** Why it was denied, for the model; null without a reason. */
  readonly reason: string | null;
}

/** Facts of a call that a toolset reports. Each report of a call has those that are new. */
export interface RunFacts {
  /** The model's id of the call. */
  readonly callId: string;
  /** The name that the model called. */
  readonly name: string;
  /** The tool; null if no tool has the name. */
  readonly tool: RunTool | null;
  /** The toolset's `conversationId`; null without one. */
  readonly conversationId: string | null;
  /** The agent session; null without one. */
  readonly sessionId: string | null;
  /** The user that the call is for; null if it isn't known. */
  readonly userId: string | null;
  /** The same for all calls of a model's turn. */
  readonly turn: string;
  /** As the tool gets them; as the model wrote them if they were rejected. */
  readonly arguments: unknown;
  /** How the call ended. */
  readonly status: RunStatus;
  /** The connected account that was chosen; null if the service chooses. */
  readonly accountId: string | null;
  /** The program's question to the person at the inspector; null if it doesn't ask, or no longer. */
  readonly question: RunQuestion | null;
  /** The text for the model: JSON, or a sentence. */
  readonly result: string;
  /** True if the call had run before, and this is the recorded result. */
  readonly isReplay: boolean;
  /** Milliseconds from the start of the turn to the end of the call, in real time. */
  readonly durationMs: number;
  /** How much of the model's context the definitions of the toolset's tools take. */
  readonly definitions: { readonly tools: number; readonly estimatedTokens: number };
}

/** The called tool. */
export interface RunTool {
  /** Its slug, or the name of a local tool. */
  readonly name: string;
  /** `service`, `meta`, or `local`. */
  readonly kind: string;
  /** Slug of the toolkit; null for a local tool. */
  readonly toolkit: string | null;
  /** The version that runs; null for a local tool, and in a session. */
  readonly version: string | null;
  /** Hints such as `readOnlyHint`. */
  readonly tags: readonly string[];
}

/** A report about a call: new facts, and at most one step. */
export interface RunReport {
  /** The same in every report of a call, from every process. */
  readonly id: string;
  readonly facts?: Partial<RunFacts> | undefined;
  readonly step?: RunStep | undefined;
}

/** A call of a tool by a model, as the toolset that ran it reported it. Credentials are masked. */
export interface RunCall extends Omit<RunFacts, "arguments"> {
  /** The same for a call that waits for approval and runs later, even in another process. */
  readonly id: string;
  /** When the first report came, ISO 8601, by the emulator's clock. */
  readonly at: string;
  /** The first 16,384 characters of the JSON. */
  readonly arguments: string;
  /** The first 16,384 characters of what the model reads; empty until the turn ends. */
  readonly result: string;
  /** The decision on `question`, until the call goes on; null without one. */
  readonly decision: RunDecision | null;
  /** At most 100. */
  readonly steps: readonly RunStep[];
}

/** Where reports go: the origin of an emulator on a port, or the function that takes those of one in this process. */
export type ReportTarget = string | ((reports: readonly RunReport[]) => void);

/** Header of the requests that a reported call sends, with the call's id. */
export const RUN_HEADER = "x-emulator-call";
