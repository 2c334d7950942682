// What svc-sdk/agents exports. Written by npm run docs:api; what changes here changes for users.

export interface AccountChoice {
    readonly id: string;
    readonly isShared: boolean;
    readonly label: string;
}

export type AgentEvent = OmittedEvent | DecidedEvent | ApprovalEvent | StartedEvent | FinishedEvent | RecordFailedEvent;

export interface AgentTool {
    readonly description: string;
    readonly kind: "service" | "meta" | "local";
    readonly name: string;
    readonly output?: Json | undefined;
    readonly parameters: Json;
    readonly tags: readonly string[];
    readonly toolkit: string | undefined;
    readonly version: string | undefined;
}

export interface AllowDecision extends DecisionFacts {
    readonly outcome: "allow";
}

export interface ApprovalBudget {
    readonly budget: string;
    readonly left: number;
    readonly limit: number;
    readonly requested?: number | undefined;
    readonly unit: string;
    readonly windowMs: number | null;
}

export interface ApprovalEvent extends EventFacts {
    readonly approver: string | undefined;
    readonly error: unknown;
    readonly requestId: string | undefined;
    readonly status: ApprovalResult["status"];
    readonly type: "approval";
}

export interface ApprovalFile {
    readonly bytes: number;
    readonly filename: string;
    readonly mimetype: string;
    readonly sha256: string;
    readonly source: string;
}

export interface ApprovalRequest extends Pick<PendingApproval, "files" | "labels" | "budgets" | "origins" | "policyDigest" | "scope"> {
    readonly conversationId: string | undefined;
    readonly decision: AskDecision;
    readonly execution: Execution;
    readonly innerDecisions: readonly Decision[];
    readAccount(): Promise<Readonly<Record<string, string>>>;
    readonly sessionId: string | undefined;
}

export type ApprovalResult = {
    readonly status: "approved";
    readonly approver: string;
} | {
    readonly status: "pending";
    readonly pending: PendingApproval;
    readonly error: unknown;
} | {
    readonly status: "denied";
    readonly reason: string;
    readonly approver?: string | undefined;
};

export interface Approvals {
    resolve(request: ApprovalRequest, options: RunOptions): Promise<ApprovalResult>;
}

export interface ArgumentOrigin {
    readonly argument: string;
    readonly place: string;
    readonly tool: string;
}

export interface AskDecision extends DecisionFacts {
    readonly outcome: "ask";
    readonly reason: string;
}

export interface AuthRequired {
    readonly accounts: readonly AccountChoice[];
    choose(id: string): void;
    linkUrl(options?: LinkOptions): Promise<string>;
    readonly reason: ConnectionNeed | "inactive" | "other_user" | "account_required";
    readonly tool: AgentTool;
    readonly toolkit: string;
    readonly userId: string | undefined;
}

export declare class AuthRequiredError extends SvcError implements AuthRequired {
    readonly accounts: AuthRequired["accounts"];
    readonly choose: AuthRequired["choose"];
    readonly condition: "no_connected_account" | "auth_refresh_required" | undefined;
    constructor(required: AuthRequired, results: readonly CallResult[]);
    readonly linkUrl: AuthRequired["linkUrl"];
    readonly reason: AuthRequired["reason"];
    readonly results: readonly CallResult[];
    readonly tool: AgentTool;
    readonly toolkit: string;
    readonly userId: string | undefined;
}

export type BoundArguments = {
    readonly [Slug in keyof ToolCatalog]?: ToolCatalog[Slug] extends {
        arguments: infer Args;
    } ? BoundValues<Args> & {
        readonly [path: `${string}.${string}`]: unknown;
    } : never;
} & {
    readonly [tool: string]: Readonly<Record<string, BoundValue>>;
};

export type BoundCall = Pick<Execution, "callId" | "tool" | "userId">;

export interface CallLimits {
    readonly deadlineMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly timeoutMs?: number | undefined;
}

export interface CallResult {
    readonly authRequired: AuthRequired | undefined;
    readonly callId: string;
    readonly data: unknown;
    readonly error: unknown;
    readonly files: readonly ResultFile[];
    readonly isReplay: boolean;
    readonly labels: readonly string[];
    readonly mismatches: readonly Mismatch[];
    readonly pendingApproval: PendingApproval | undefined;
    readonly status: CallStatus;
    readonly text: string;
    readonly tool: AgentTool | undefined;
}

export type CallStatus = (typeof CALL_STATUSES)[number];

export interface ClientToolsetOptions extends ToolsetOptions {
    readonly accounts?: "newest" | GivenAccounts | undefined;
    readonly userId: string;
}

export interface CompiledForm {
    readonly fidelity: "exact" | "widened";
    readonly notes: readonly Note[];
    readonly schema: Json;
    readonly strict: boolean;
}

export interface DecidedEvent extends EventFacts {
    readonly accountId: string | undefined;
    readonly arguments: Json | undefined;
    readonly by: DecisionSource;
    readonly error: unknown;
    readonly labels: readonly string[] | undefined;
    readonly outcome: DecisionOutcome;
    readonly reason: string | undefined;
    readonly rule: string | undefined;
    readonly type: "decided";
}

export type Decision = AllowDecision | AskDecision | DenyDecision;

export type DecisionOutcome = (typeof OUTCOMES)[number];

export type DecisionSource = "rules" | "budgets" | "arguments";

export interface DenyDecision extends DecisionFacts {
    readonly outcome: "deny" | "dry_run";
    readonly reason: string;
}

export type Ending = Partial<CallResult> & Pick<CallResult, "status" | "text">;

export interface Execution {
    readonly accountId: string | undefined;
    readonly arguments: Json;
    readonly callId: string;
    readonly inner: readonly Execution[];
    readonly requested: Json;
    readonly tool: AgentTool;
    readonly userId: string | undefined;
}

export interface ExecutionRecord {
    readonly result: string | undefined;
    readonly stamp: string;
}

export interface ExecutionStore {
    find(id: string): Promise<ExecutionRecord | undefined>;
    finish(id: string, stamp: string, result?: string): Promise<void>;
    start(id: string, stamp: string): Promise<ExecutionRecord | undefined>;
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

export type GivenAccounts = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

export interface LinkOptions {
    readonly authConfigId?: string | undefined;
    readonly callbackUrl?: string | undefined;
}

export interface LocalTool {
    readonly description: string;
    execute(args: Json, context: ToolContext): unknown;
    readonly name: string;
    readonly output?: object | undefined;
    readonly parameters: ObjectSchema | StandardJsonSchema;
    readonly tags?: readonly string[] | undefined;
}

export interface MemoryExecutionsOptions {
    readonly maxCalls?: number | undefined;
    readonly maxResults?: number | undefined;
}

export interface MiddlewareCall extends Pick<Execution, "callId" | "tool" | "userId"> {
    arguments: Json;
    readonly signal: AbortSignal | undefined;
}

export interface Note {
    readonly kind: NoteKind;
    readonly message: string;
    readonly path: string;
}

export type NoteKind = "described" | "untyped" | "annotated" | "reshaped" | "renamed" | "not-strict";

export interface ObjectSchema {
    readonly [keyword: string]: unknown;
    readonly type: string;
}

export interface OmittedEvent extends Subject {
    readonly callId: undefined;
    readonly error: ToolLockError | ConfigError;
    readonly tool: undefined;
    readonly type: "omitted";
}

export type OutputOf<Schema extends StandardJsonSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

export type PartOf<Message, Name extends string> = Message extends {
    readonly [K in Name]?: infer Parts;
} ? Parts extends readonly (infer Part)[] ? Part : never : never;

export interface PassthroughSchema {
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

export interface PendingApproval {
    readonly account: Readonly<Record<string, string>>;
    readonly accountId: string | null;
    readonly arguments: Json;
    readonly budgets: readonly ApprovalBudget[];
    readonly call: ToolCall & {
        readonly arguments: Json;
    };
    readonly conversationId: string | null;
    readonly description: string;
    readonly expiresAt: number | null;
    readonly files: readonly ApprovalFile[];
    readonly formatVersion: 1;
    readonly id: string;
    readonly inner: readonly InnerApproval[];
    readonly labels: readonly string[] | null;
    readonly origins: readonly ArgumentOrigin[];
    readonly policyDigest: string;
    readonly previousArguments: Json | null;
    readonly reason: string;
    readonly scope: string;
    readonly sessionId: string | null;
    readonly userId: string | null;
    readonly version: string | null;
}

export declare abstract class Policy {
}

export interface PreparedToolset {
    for(user: ToolsetUser): Promise<Toolset>;
}

export interface RecordFailedEvent extends EventFacts {
    readonly error: unknown;
    readonly type: "record_failed";
}

export interface ResultFile {
    readonly bytes: DownloadedFile["bytes"] | undefined;
    readonly error: unknown;
    readonly handle: string;
    readonly mimetype: string | undefined;
    readonly name: string | undefined;
    readonly url: string;
}

export type ResultFiles = "handle" | "link" | "bytes";

export interface ResumeOptions extends Omit<RunOptions, "approvals"> {
    readonly askAgain?: boolean | undefined;
    readonly decisions?: readonly string[] | undefined;
}

export interface Resumed<Message> {
    readonly changedDefinitions: readonly string[];
    readonly conversation: Message[];
}

export type RunCalls = (calls: readonly ToolCall[], options?: RunOptions) => Promise<CallResult[]>;

export interface RunOptions extends CallLimits {
    readonly approvals?: readonly string[] | undefined;
    readonly dryRun?: boolean | undefined;
}

export interface SerializedForm extends CompiledForm {
    readonly target: Target;
    readonly tool: string;
}

export interface SerializedForms {
    readonly compiler: number;
    readonly forms: readonly SerializedForm[];
}

export interface SerializedToolset {
    readonly compiled?: SerializedForms | undefined;
    readonly formatVersion: 1;
    readonly tools: readonly ToolRecord[];
}

export interface SessionToolsetOptions extends Omit<ToolsetOptions, "search" | "limit" | "versions"> {
    readonly catalog?: Pick<ToolClient, "tools" | "connectedAccounts"> | undefined;
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
    readonly waitedMs: number;
}

export interface StreamOptions<Event> extends RunOptions {
    readonly onStreamEvent?: ((event: Event) => unknown) | undefined;
}

export interface StrictOption {
    readonly strict?: boolean | ((tool: AgentTool) => boolean) | undefined;
}

export type Target = "openai-strict" | "openai" | "anthropic-strict" | "anthropic" | "gemini" | "json-schema" | "portable";

export interface TicketAccount extends Pick<AuthRequired, "toolkit" | "reason"> {
    readonly callId: string;
}

export interface TicketCall {
    readonly callId: string;
    readonly status: CallStatus;
    readonly tool: string | null;
}

export declare class TicketRejectedError extends SvcError {
    constructor(adapter: string, reason: TicketRejectionReason, details?: string);
    readonly reason: TicketRejectionReason;
}

export type TicketRejectionReason = keyof typeof WORDS;

export interface ToolCall {
    readonly arguments: unknown;
    readonly callId: string;
    readonly isFromProgram?: boolean | undefined;
    readonly isTruncated?: boolean | undefined;
    readonly name: string;
}

export interface ToolClient {
    readonly authConfigs?: Pick<Svc["authConfigs"], "list">;
    readonly connectedAccounts?: Pick<Svc["connectedAccounts"], "link" | "list">;
    readonly files?: Pick<Svc["files"], "upload" | "download">;
    readonly toolkits?: Pick<Svc["toolkits"], "list">;
    readonly tools: Pick<Svc["tools"], "list" | "execute"> & Partial<Pick<Svc["tools"], "listSlugs" | "toolVersions" | "settle">>;
}

export interface ToolContext extends Pick<Execution, "callId" | "userId" | "accountId">, CallLimits {
}

export interface ToolForm {
    decode?(args: unknown): unknown;
    readonly name: string;
}

export type ToolMiddleware = (call: MiddlewareCall, next: () => Promise<Ending>) => Ending | Promise<Ending>;

export interface ToolRecord {
    readonly description: string;
    readonly input_parameters: Json;
    readonly no_auth?: boolean | undefined;
    readonly output_parameters?: Json | undefined;
    readonly slug: string;
    readonly tags: readonly string[];
    readonly toolkit: string;
    readonly version: string;
}

export interface ToolSelection {
    readonly limit?: number | undefined;
    readonly lock?: ToolLock | undefined;
    readonly onLockMismatch?: "throw" | "omit" | undefined;
    readonly search?: string | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly toolkits?: readonly string[] | undefined;
    readonly tools?: readonly (string | LocalTool)[] | undefined;
    readonly versions?: VersionBySlug | undefined;
}

export type ToolSession = Pick<ToolRouterSessionHandle, "id" | "tools" | "execute" | "executeMeta" | "link"> & Partial<Pick<ToolRouterSessionHandle, "settle">> & {
    readonly record?: {
        readonly config: {
            readonly user_id: string;
        };
    } | undefined;
};

export declare class Toolset {
    addLabel(label: string, { signal }?: Pick<CallLimits, "signal">): Promise<void>;
    readonly run: RunCalls;
    readonly toJSON: () => SerializedToolset;
    readonly tools: readonly AgentTool[];
}

export interface ToolsetOptions extends ToolSelection, FileOptions, TurnOptions {
    readonly approvals?: Approvals | undefined;
    readonly audit?: Audit | undefined;
    readonly bind?: BoundArguments | undefined;
    readonly conversationId?: string | undefined;
    readonly eventArguments?: boolean | undefined;
    readonly executions?: ExecutionStore | undefined;
    readonly from?: SerializedToolset | undefined;
    readonly isNewConversation?: boolean | undefined;
    readonly onAuthRequired?: "throw" | ((required: AuthRequired) => unknown) | undefined;
    readonly onEvent?: ((event: AgentEvent) => void) | undefined;
    readonly policy?: Policy;
    readonly requirePolicy?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly trustHints?: boolean | undefined;
    readonly use?: readonly ToolMiddleware[] | undefined;
    readonly validateArguments?: ArgumentValidator | undefined;
}

export interface ToolsetUser extends Pick<ClientToolsetOptions, "userId" | "conversationId" | "isNewConversation" | "accounts"> {
}

export interface TurnFacts<Part> {
    readonly authRequired: readonly AuthRequired[];
    readonly hasCalls: boolean;
    readonly incompleteReason: string | undefined;
    readonly isIncomplete: boolean;
    readonly pendingApprovals: readonly PendingApproval[];
    readonly results: CallResult[];
    suspend<Message>(conversation: readonly Message[]): Promise<TurnTicket<Message>>;
    readonly unanswered: readonly Part[];
}

export interface TurnTicket<Message = unknown> {
    readonly adapter: "openai" | "openaiChat" | "anthropic" | "google";
    readonly authRequired: readonly TicketAccount[];
    readonly calls: readonly TicketCall[];
    readonly conversation: readonly Message[];
    readonly conversationId: string | null;
    readonly definitions: Readonly<Record<string, string>>;
    readonly digest: string;
    readonly formatVersion: 1;
    readonly pendingApprovals: readonly PendingApproval[];
    readonly policyDigest: string | null;
    readonly response: object;
    readonly sessionId: string | null;
    readonly userId: string | null;
}

export interface TypedTool<Schema extends StandardJsonSchema> extends Omit<LocalTool, "parameters" | "execute"> {
    execute(args: OutputOf<Schema>, context: ToolContext): unknown;
    readonly parameters: Schema;
}

export declare function memoryExecutions(options?: MemoryExecutionsOptions): ExecutionStore;

export declare function prepareToolset(client: ToolClient, given: Omit<ClientToolsetOptions, keyof ToolsetUser>): Promise<PreparedToolset>;

export declare function tool<Schema extends StandardJsonSchema>(definition: TypedTool<Schema>): LocalTool;

export declare function tool(definition: LocalTool): LocalTool;

export declare function toolset<Source extends ToolClient | ToolSession>(source: Source, ...options: Source extends ToolSession ? [
    options?: SessionToolsetOptions
] : [
    options: ClientToolsetOptions
]): Promise<Toolset>;

// Not exported, but exports are made of it.

type BoundValue = string | number | boolean | null | readonly unknown[] | Json | ((call: BoundCall) => unknown);

type BoundValues<Args> = {
    readonly [Name in keyof Args]?: Args[Name] | ((call: BoundCall) => Args[Name] | Promise<Args[Name]>);
};

export declare const CALL_STATUSES: readonly [
    "succeeded",
    "failed",
    "not_run",
    "unknown",
    "pending",
    "dry_run"
];

interface DecisionFacts {
    readonly error?: unknown;
    readonly rule?: string | undefined;
}

interface EventFacts extends Subject {
    readonly callId: string;
    readonly tool: AgentTool | undefined;
}

export interface FileOptions {
    readonly files?: ToolClient["files"] | undefined;
    readonly openFile?: ((request: FileRequest, limits: CallLimits) => Promise<FileContent> | FileContent) | undefined;
    readonly resultFiles?: ResultFiles | undefined;
}

export type Json = Readonly<Record<string, unknown>>;

export declare const OUTCOMES: readonly [
    "deny",
    "dry_run",
    "ask",
    "allow"
];

export type SettleLimits = Pick<SettleOptions, "deadlineMs" | "pollMs" | "exclusive" | "loggedWithinMs">;

interface StandardResult {
    readonly issues?: readonly {
        readonly message: string;
        readonly path?: readonly unknown[] | undefined;
    }[] | undefined;
    readonly value?: unknown;
}

export interface Subject {
    readonly conversationId: string | undefined;
    readonly sessionId: string | undefined;
    readonly userId: string | undefined;
}

export interface TurnOptions {
    readonly concurrency?: number | undefined;
    readonly maxResultBytes?: number | undefined;
    readonly maxTurnBytes?: number | undefined;
    readonly settle?: boolean | SettleLimits | undefined;
}

type VersionBySlug = Readonly<Record<string, string>>;

declare const WORDS: {
    malformed: string;
    unsupported_version: string;
    changed: string;
    not_found: string;
    other_adapter: string;
    other_user: string;
    other_session: string;
    other_conversation: string;
    other_policy: string;
    other_definitions: string;
};
