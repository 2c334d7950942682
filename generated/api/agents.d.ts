// What svc-sdk/agents exports. Written by npm run docs:api; what changes here changes for users.

export interface AcceptingSchema {
    readonly "~standard": {
        readonly version: 1;
        readonly vendor: "svc-sdk";
        readonly types?: {
            readonly input: unknown;
            readonly output: unknown;
        } | undefined;
        readonly validate: (value: unknown) => {
            readonly value: unknown;
        };
        readonly jsonSchema: {
            readonly input: (options: object) => Record<string, unknown>;
            readonly output: (options: object) => Record<string, unknown>;
        };
    };
}

export type AgentEvent = DecidedEvent | JudgedEvent | StartedEvent | FinishedEvent | RecordFailedEvent;

export interface AgentTool {
    readonly description: string;
    readonly kind: "service" | "meta" | "own";
    readonly name: string;
    readonly parameters: Json;
    readonly tags: readonly string[];
    readonly toolkit: string | undefined;
    readonly version: string | undefined;
}

export interface AllowDecision extends DecisionFacts {
    readonly outcome: "allow";
}

export interface ApprovalFile {
    readonly bytes: number;
    readonly filename: string;
    readonly mimetype: string;
    readonly sha256: string;
    readonly source: string;
}

export interface ApprovalRequest {
    readonly decision: AskDecision;
    readonly execution: Execution;
    readonly files: readonly ApprovalFile[];
    readonly policyDigest: string;
    readonly scope: string;
    readonly sessionId: string | undefined;
}

export interface Approvals {
    judge(request: ApprovalRequest, options: RunOptions): Promise<Judgement>;
}

export interface AskDecision extends DecisionFacts {
    readonly outcome: "ask";
    readonly reason: string;
}

export interface AuthRequired {
    link(options?: LinkOptions): Promise<string>;
    readonly reason: "not_connected" | "expired";
    readonly tool: AgentTool;
    readonly toolkit: string;
    readonly userId: string | undefined;
}

export declare class AuthRequiredError extends SvcError implements AuthRequired {
    protected static readonly brand: string;
    readonly condition: "no_connected_account" | "auth_refresh_required";
    constructor(required: AuthRequired, results: readonly CallResult[]);
    readonly link: AuthRequired["link"];
    readonly reason: AuthRequired["reason"];
    readonly results: readonly CallResult[];
    readonly tool: AgentTool;
    readonly toolkit: string;
    readonly userId: string | undefined;
}

export interface CallLimits {
    readonly deadlineMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly timeoutMs?: number | undefined;
}

export interface CallResult {
    readonly callId: string;
    readonly data: unknown;
    readonly error: unknown;
    readonly files: readonly ResultFile[];
    readonly isReplay: boolean;
    readonly mismatches: readonly Mismatch[];
    readonly pending: PendingApproval | undefined;
    readonly status: CallStatus;
    readonly text: string;
    readonly tool: AgentTool | undefined;
}

export type CallStatus = "succeeded" | "failed" | "not_run" | "unknown" | "pending" | "dry_run";

export interface ClientToolsetOptions extends ToolsetOptions {
    readonly accounts?: Readonly<Record<string, string>> | undefined;
    readonly userId: string;
}

export interface DecidedEvent extends EventFacts {
    readonly arguments: Json | undefined;
    readonly error: unknown;
    readonly outcome: Outcome;
    readonly reason: string | undefined;
    readonly rule: string | undefined;
    readonly type: "decided";
}

export type Decision = AllowDecision | AskDecision | DenyDecision;

export interface DenyDecision extends DecisionFacts {
    readonly outcome: "deny" | "dry_run";
    readonly reason: string;
}

export interface Execution {
    readonly accountId: string | undefined;
    readonly arguments: Json;
    readonly callId: string;
    readonly inner: readonly Execution[];
    readonly tool: AgentTool;
    readonly userId: string | undefined;
}

export interface ExecutionRecord {
    readonly digest: string;
    readonly result: string | undefined;
}

export interface ExecutionStore {
    find(id: string): Promise<ExecutionRecord | undefined>;
    finish(id: string, result?: string): Promise<void>;
    start(id: string, digest: string): Promise<ExecutionRecord | undefined>;
}

export interface FileContent {
    readonly content: Blob | Uint8Array;
    readonly filename: string;
    readonly mimetype: string;
}

export interface FileRequest extends Execution {
    readonly source: string;
}

export interface FinishedEvent extends EventFacts {
    readonly error: unknown;
    readonly isReplay: boolean;
    readonly status: CallStatus;
    readonly type: "finished";
}

export interface JudgedEvent extends EventFacts {
    readonly approver: string | undefined;
    readonly error: unknown;
    readonly judgement: Judgement["status"];
    readonly type: "judged";
}

export type Judgement = {
    readonly status: "approved";
    readonly approver: string;
} | {
    readonly status: "pending";
    readonly pending: PendingApproval;
    readonly error: unknown;
} | {
    readonly status: "refused";
    readonly reason: string;
    readonly approver?: string | undefined;
};

export interface LinkOptions {
    readonly authConfigId?: string | undefined;
    readonly callbackUrl?: string | undefined;
}

export interface MemoryExecutionsOptions {
    readonly maxResults?: number | undefined;
}

export interface OfferedForm {
    readonly name: string;
    restore?(args: unknown): unknown;
}

export type Outcome = (typeof OUTCOMES)[number];

export type OutputOf<Schema extends StandardJsonSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

export interface OwnTool {
    readonly description: string;
    execute(args: Json, context: ToolContext): unknown;
    readonly name: string;
    readonly parameters: object;
    readonly tags?: readonly string[] | undefined;
}

export interface PendingApproval {
    readonly accountId: string | null;
    readonly approval: 1;
    readonly call: ToolCall & {
        readonly arguments: Json;
    };
    readonly description: string;
    readonly earlier: Json | null;
    readonly files: readonly ApprovalFile[];
    readonly policy: string;
    readonly reason: string;
    readonly scope: string;
    readonly sessionId: string | null;
    readonly userId: string | null;
    readonly version: string | null;
}

export declare abstract class Policy {
}

export interface RecordFailedEvent extends EventFacts {
    readonly error: unknown;
    readonly type: "record_failed";
}

export interface ResultFile {
    readonly bytes: OwnBytes | undefined;
    readonly error: unknown;
    readonly handle: string;
    readonly mimetype: string | undefined;
    readonly name: string | undefined;
    readonly url: string;
}

export type ResultFiles = "handle" | "link" | "bytes";

export type RunCalls = (calls: readonly ToolCall[], options?: RunOptions) => Promise<CallResult[]>;

export interface RunOptions extends CallLimits {
    readonly approvals?: readonly string[] | undefined;
    readonly dryRun?: boolean | undefined;
}

export interface SessionToolsetOptions extends Omit<ToolsetOptions, "search" | "limit" | "lock" | "versions"> {
    readonly catalog?: Pick<ToolClient, "tools"> | undefined;
}

export interface StandardJsonSchema {
    readonly "~standard": {
        readonly types?: {
            readonly output: unknown;
        } | undefined;
        readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
        readonly jsonSchema: {
            readonly input: (options: {
                readonly target: "draft-2020-12";
            }) => object;
        };
    };
}

export interface StartedEvent extends EventFacts {
    readonly type: "started";
}

export interface StreamOptions<Event> extends RunOptions {
    readonly onEvent?: ((event: Event) => void) | undefined;
}

export interface StrictOption {
    readonly strict?: boolean | undefined;
}

export interface ToolCall {
    readonly arguments: unknown;
    readonly callId: string;
    readonly isCut?: boolean | undefined;
    readonly name: string;
}

export interface ToolClient {
    readonly authConfigs?: Pick<Svc["authConfigs"], "list">;
    readonly connectedAccounts?: Pick<Svc["connectedAccounts"], "link" | "list">;
    readonly files?: Pick<Svc["files"], "upload" | "download">;
    readonly tools: Pick<Svc["tools"], "list" | "execute"> & Partial<Pick<Svc["tools"], "toolVersions">>;
}

export interface ToolContext extends CallFacts, CallLimits {
}

export interface ToolRecord {
    readonly description: string;
    readonly input_parameters: Json;
    readonly slug: string;
    readonly tags: readonly string[];
    readonly toolkit: string;
    readonly version: string;
}

export interface ToolSelection {
    readonly limit?: number | undefined;
    readonly lock?: ToolLock | undefined;
    readonly search?: string | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly toolkits?: readonly string[] | undefined;
    readonly tools?: readonly (string | OwnTool)[] | undefined;
    readonly versions?: Versions | undefined;
}

export type ToolSession = Pick<ToolRouterSessionHandle, "id" | "tools" | "execute" | "executeMeta" | "link"> & {
    readonly record?: {
        readonly config: {
            readonly user_id: string;
        };
    } | undefined;
};

export declare class Toolset {
    run(calls: readonly ToolCall[], options?: RunOptions): Promise<CallResult[]>;
    snapshot(): ToolsetSnapshot;
    readonly tools: readonly AgentTool[];
}

export interface ToolsetOptions extends ToolSelection {
    readonly approvals?: Approvals | undefined;
    readonly eventArguments?: boolean | undefined;
    readonly executions?: ExecutionStore | undefined;
    readonly files?: ToolClient["files"] | undefined;
    readonly maxResultBytes?: number | undefined;
    readonly onAuthRequired?: "throw" | ((required: AuthRequired) => unknown) | undefined;
    readonly onEvent?: ((event: AgentEvent) => void) | undefined;
    readonly openFile?: ((request: FileRequest, limits: CallLimits) => Promise<FileContent> | FileContent) | undefined;
    readonly policy?: Policy | undefined;
    readonly resultFiles?: ResultFiles | undefined;
    readonly scope?: string | undefined;
    readonly snapshot?: ToolsetSnapshot | undefined;
    readonly validateArguments?: ArgumentValidator | undefined;
}

export interface ToolsetSnapshot {
    readonly tools: readonly ToolRecord[];
    readonly toolset: 1;
}

export interface TypedTool<Schema extends StandardJsonSchema> extends Omit<OwnTool, "parameters" | "execute"> {
    execute(args: OutputOf<Schema>, context: ToolContext): unknown;
    readonly parameters: Schema;
}

export declare function memoryExecutions({ maxResults }?: MemoryExecutionsOptions): ExecutionStore;

export declare function tool<Schema extends StandardJsonSchema>(definition: TypedTool<Schema>): OwnTool;

export declare function tool(definition: OwnTool): OwnTool;

export declare function toolset(session: ToolSession, options?: SessionToolsetOptions): Promise<Toolset>;

export declare function toolset(client: ToolClient, options: ClientToolsetOptions): Promise<Toolset>;

// Not exported, but exports are made of it.

export interface CallFacts {
    readonly accountId: string | undefined;
    readonly callId: string;
    readonly userId: string | undefined;
}

interface DecisionFacts {
    readonly error?: unknown;
    readonly rule?: string | undefined;
}

interface EventFacts {
    readonly callId: string;
    readonly tool: AgentTool | undefined;
    readonly userId: string | undefined;
}

export type Json = Readonly<Record<string, unknown>>;

export declare const OUTCOMES: readonly [
    "deny",
    "dry_run",
    "ask",
    "allow"
];

export type OwnBytes = ReturnType<typeof Uint8Array.of>;

interface StandardResult {
    readonly issues?: readonly {
        readonly message: string;
        readonly path?: readonly unknown[] | undefined;
    }[] | undefined;
    readonly value?: unknown;
}

type Versions = Readonly<Record<string, string>>;
