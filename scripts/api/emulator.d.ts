// What svc-sdk/emulator exports. Written by npm run docs:api; what changes here changes for users.

export interface AccountControls {
    activate(accountId: string): void;
    decline(accountId: string, reason?: string): void;
    expire(accountId: string, reason?: string): void;
    revoke(accountId: string): void;
}

export type Activity = ActivityOf & {
    readonly id: number;
    readonly at: string;
};

export type ActivityOf = {
    readonly type: "request";
    readonly request: RequestRecord;
} | {
    readonly type: "run";
    readonly call: RunCall;
    readonly step: RunStep | null;
} | {
    readonly type: "event";
    readonly event: EmittedEvent;
} | {
    readonly type: "delivery";
    readonly delivery: DeliveryRecord;
    readonly attempt: DeliveryAttempt | null;
} | {
    readonly type: "change";
    readonly kind: RecordKind;
    readonly recordId: string;
    readonly action: RecordChange;
} | {
    readonly type: "clock";
    readonly now: string;
    readonly isRunning: boolean;
} | {
    readonly type: "faults";
} | {
    readonly type: "catalog";
} | {
    readonly type: "restored";
} | {
    readonly type: "control";
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly error: string | null;
};

export interface AuthConfigSeed extends Readonly<{
    id: string;
    toolkit: string;
    type?: "default" | "custom" | undefined;
    scheme?: string | undefined;
    name?: string | undefined;
    credentials?: Record<string, unknown> | undefined;
    status?: "ENABLED" | "DISABLED" | undefined;
}> {
}

export interface AuthDefinition extends Readonly<{
    scheme: string;
    isManaged?: boolean | undefined;
    scopes?: readonly string[] | undefined;
    configFields?: readonly AuthField[] | undefined;
    accountFields?: readonly AuthField[] | undefined;
    isRevocable?: boolean | undefined;
}> {
}

export interface CatalogControls {
    publish(toolkit: string, version: string, changes?: VersionChanges): void;
}

export interface CatalogOptions {
    readonly seed?: number | undefined;
    readonly source?: string | undefined;
    readonly toolkits?: readonly ToolkitDefinition[] | undefined;
    readonly tools?: Readonly<Record<string, ToolOverride>> | undefined;
}

export interface ClockOptions extends Readonly<{
    start?: string | undefined;
    running?: boolean | undefined;
}> {
}

export interface ConnectedAccountSeed extends Readonly<{
    id: string;
    userId: string;
    authConfigId: string;
    status?: "INITIALIZING" | "INITIATED" | "ACTIVE" | "FAILED" | "EXPIRED" | "INACTIVE" | "REVOKED" | undefined;
}> {
}

export declare class Deliveries {
    clearFaults(): void;
    get faults(): Required<DeliveryFaults>;
    injectFaults(faults: DeliveryFaults): void;
    get items(): readonly DeliveryRecord[];
    resend(deliveryId: string, options?: ResendOptions): readonly DeliveryRecord[];
}

export interface DeliveryAttempt extends Readonly<{
    number: number;
    startedAt: string;
    endedAt: string;
    status: number | null;
    error: string | null;
    request: DeliveryRequest | null;
    response: ReceiverResponse | null;
}> {
}

export interface DeliveryFaults extends Readonly<{
    copies?: number | undefined;
    reorder?: boolean | undefined;
    delayMs?: number | undefined;
    skewSeconds?: number | undefined;
    wrongSecret?: boolean | undefined;
}> {
}

export interface DeliveryOptions extends Readonly<{
    fetch?: ((request: Request) => Promise<Response>) | undefined;
    attempts?: number | undefined;
    delaysMs?: readonly number[] | undefined;
    timeoutMs?: number | undefined;
}> {
}

export interface DeliveryRecord extends Readonly<{
    id: string;
    eventId: string;
    subscriptionId: string;
    type: EventType;
    createdAt: string;
    version: "V3" | "V2" | "V1";
    body: string;
    state: "failed" | "pending" | "delivered" | "duplicate";
    attempts: DeliveryAttempt[];
    dueAt: number | null;
    resend?: ResendInfo | undefined;
}> {
}

export interface DeliveryRequest extends Readonly<{
    url: string;
    headers: Record<string, string>;
}> {
}

export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d"}`;

export interface EmittedEvent extends Readonly<{
    id: string;
    type: EventType;
    timestamp: string;
    metadata: Record<string, unknown>;
    data: Record<string, unknown>;
    legacy?: {
        triggerUuid: string;
        connectionUuid: string;
    } | undefined;
}> {
}

export interface Emulator {
    readonly accounts: AccountControls;
    readonly catalog: CatalogControls;
    readonly clock: EmulatorClock;
    readonly connection: EmulatorKeys & {
        readonly baseUrl: string;
        readonly fetch: (request: Request) => Promise<Response>;
    };
    readonly deliveries: Deliveries;
    readonly events: readonly EmittedEvent[];
    readonly executionLog: ExecutionLog;
    readonly faults: Faults;
    fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
    readonly requests: readonly RequestRecord[];
    reset(): void;
    restore(snapshot: Snapshot): void;
    readonly runs: readonly RunCall[];
    snapshot(): Snapshot;
    subscribe(listener: (activity: Activity) => void): () => void;
    readonly tools: ToolControls;
    readonly triggers: TriggerControls;
    waitForDeliveries(): Promise<void>;
}

export declare class EmulatorClock {
    advance(duration: Duration): void;
    advanceTo(time: string): void;
    constructor({ start, running }: ClockOptions, state: ClockState);
    get isRunning(): boolean;
    iso(): string;
    now(): number;
    pause(): void;
    resume(): void;
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface EmulatorKeys {
    readonly apiKey: string | undefined;
    readonly orgApiKey: string | undefined;
    readonly userApiKey: string | undefined;
}

export interface EmulatorOptions {
    readonly clock?: ClockOptions | undefined;
    readonly deliveries?: DeliveryOptions | undefined;
    readonly idSeed?: number | undefined;
    readonly onRequest?: ((record: RequestRecord) => void) | undefined;
    readonly project?: ProjectOptions | undefined;
    readonly rateLimit?: RateLimitOptions | undefined;
    readonly seed?: EmulatorSeed | undefined;
    readonly toolkits?: readonly ToolkitDefinition[] | undefined;
    readonly unknownFields?: UnknownFields | undefined;
}

export interface EmulatorSeed extends Readonly<{
    keys?: readonly KeySeed[] | undefined;
    authConfigs?: readonly AuthConfigSeed[] | undefined;
    connectedAccounts?: readonly ConnectedAccountSeed[] | undefined;
    integrations?: readonly string[] | undefined;
}> {
}

export type EventType = Open<"svc.trigger.message" | "svc.connected_account.expired" | "svc.connected_account.activated" | "svc.trigger.disabled">;

export declare class ExecutionLog {
    clearFaults(): void;
    get faults(): Required<ExecutionLogFaults>;
    injectFaults(faults: ExecutionLogFaults): void;
}

export interface ExecutionLogFaults extends Readonly<{
    delayMs?: number | undefined;
    dropPayloads?: boolean | undefined;
    dropRequestIds?: boolean | undefined;
}> {
}

export type FaultOperation = "*" | "apiKeys.revoke" | `authConfigs.${"create" | "list" | "get" | "update" | "delete" | "setStatus"}` | `connectedAccounts.${"list" | "create" | "link" | "get" | "update" | "setStatus" | "refresh" | "revoke" | "delete" | "completeAuth"}` | `files.${"list" | "requestUpload"}` | "integrations.update" | `logs.${"listToolExecutions" | "getToolExecution"}` | `mcp.${"list" | "create" | "createCustom" | "generateUrl" | "get" | "update" | "delete" | "listByApp" | "listInstances" | "createInstance" | "deleteInstance"}` | `projects.${"create" | "list" | "get" | "delete" | "regenerateApiKey" | "getConfig" | "updateConfig" | "listOrganizations" | "listMine"}` | "session.info" | `toolRouter.${"create" | "get" | "update" | "delete" | "attach" | "configHistory" | "search" | "toolkits" | "tools" | "execute" | "executeMeta" | "proxy" | "link" | "mountItems" | "mountUploadUrl" | "mountDownloadUrl" | "mountDelete"}` | `toolkits.${"list" | "get" | "listCategories" | "getChangelog" | "listBySlugs"}` | `tools.${"get" | "list" | "listSlugs" | "execute" | "generateArguments" | "proxy" | "getRequiredScopes"}` | `triggers.${"listTypes" | "getType" | "listTypeSlugs" | "upsert" | "listActive" | "setStatus" | "delete"}` | `usage.${"getOrganizationSummary" | "getOrganization" | "getProjectSummary" | "getProject"}` | `webhookEndpoints.${"getSchema" | "create" | "list" | "get" | "update" | "replace"}` | `webhookSubscriptions.${"create" | "list" | "get" | "update" | "delete" | "rotateSecret" | "listEventTypes"}`;

export interface FaultOptions extends Readonly<{
    times?: number | undefined;
}> {
}

export interface FaultRule extends Readonly<{
    id: number;
    operation: string;
    fault: InjectedFault;
    every: number;
    remaining: number | null;
    matched: number;
}> {
}

export declare class Faults {
    clear(): void;
    every(nth: number, operation: FaultOperation, fault: InjectedFault, options?: FaultOptions): void;
    get items(): readonly Readonly<FaultRule>[];
    next(operation: FaultOperation, fault: InjectedFault, options?: FaultOptions): void;
    remove(id: number): void;
}

export interface InjectedFault extends Readonly<{
    status?: number | undefined;
    body?: unknown | undefined;
    headers?: Record<string, string> | undefined;
    retryAfterSeconds?: number | undefined;
    delayMs?: number | undefined;
    connection?: "hang" | "reset" | "truncate" | undefined;
    when?: "before" | "after" | undefined;
}> {
}

export type JsonObject = Record<string, unknown>;

export interface KeySeed extends Readonly<{
    kind: "apiKey" | "userApiKey" | "orgApiKey" | "sessionCookie";
    value: string;
    state?: "active" | "revoked" | "expired" | undefined;
    denied?: readonly string[] | undefined;
}> {
}

export interface ProjectOptions extends Readonly<{
    subscriptionsPerProject?: number | undefined;
    callbackVerifierUrl?: string | undefined;
}> {
}

export declare class ProviderError extends Error {
    constructor(status: number, message: string);
    readonly status: number;
}

export interface ProxiedCall {
    readonly body: unknown;
    readonly data: JsonObject;
    readonly method: string;
    readonly path: string;
    readonly query: URLSearchParams;
}

export interface RateLimitOptions extends Readonly<{
    limit?: number | undefined;
    windowSeconds?: number | undefined;
}> {
}

export interface ReceiverResponse extends Readonly<{
    headers: Record<string, string>;
    body: string;
}> {
}

export type RecordKind = (typeof KINDS)[number];

export interface RecordedMessage extends Readonly<{
    headers: Record<string, string>;
    body: string;
    bytes: number;
}> {
}

export interface RequestRecord extends Readonly<{
    at: string;
    realTime: number;
    durationMs: number;
    method: string;
    path: string;
    operation?: string | undefined;
    attempt?: number | undefined;
    status?: number | undefined;
    response?: RecordedMessage | undefined;
    fault?: string | undefined;
    headers: Record<string, string>;
    body: string;
    bytes: number;
}> {
}

export interface ResendInfo extends Readonly<{
    of: string;
    exactly: DeliveryRequest | null;
    skewSeconds: number;
    wrongSecret: boolean;
}> {
}

export interface ResendOptions extends Readonly<{
    body?: string | undefined;
    copies?: number | undefined;
    sign?: boolean | undefined;
    skewSeconds?: number | undefined;
    wrongSecret?: boolean | undefined;
}> {
}

export interface RunCall extends Readonly<{
    id: string;
    at: string;
    arguments: string;
    result: string;
    decision: RunDecision | null;
    steps: readonly RunStep[];
    callId: string;
    name: string;
    tool: RunTool | null;
    conversationId: string | null;
    sessionId: string | null;
    userId: string | null;
    turn: string;
    realTime: number;
    status: "unknown" | "failed" | "running" | "succeeded" | "not_run" | "pending" | "dry_run" | "aborted";
    accountId: string | null;
    question: RunQuestion | null;
    budgets: readonly RunBudget[];
    isReplay: boolean;
    durationMs: number;
    definitions: {
        tools: number;
        estimatedTokens: number;
    };
}> {
}

export interface RunDecision extends Readonly<{
    approved: boolean;
    reason: string | null;
}> {
}

export interface RunFacts extends Readonly<{
    callId: string;
    name: string;
    tool: RunTool | null;
    conversationId: string | null;
    sessionId: string | null;
    userId: string | null;
    turn: string;
    realTime: number;
    arguments: unknown;
    status: "unknown" | "failed" | "running" | "succeeded" | "not_run" | "pending" | "dry_run" | "aborted";
    accountId: string | null;
    question: RunQuestion | null;
    budgets: readonly RunBudget[];
    result: string;
    isReplay: boolean;
    durationMs: number;
    definitions: {
        tools: number;
        estimatedTokens: number;
    };
}> {
}

export interface RunQuestion extends Readonly<{
    id: string;
    text: string;
    expiresAt: string;
}> {
}

export type RunStatus = "unknown" | "failed" | "running" | "succeeded" | "not_run" | "pending" | "dry_run" | "aborted";

export interface RunStep extends Readonly<{
    type: "decided" | "approval" | "started" | "finished" | "record_failed";
    ms: number;
    realTime?: number | undefined;
    tool?: string | undefined;
    outcome?: string | undefined;
    rule?: string | undefined;
    reason?: string | undefined;
    labels?: readonly string[] | undefined;
    waitedMs?: number | undefined;
    approver?: string | undefined;
    requestId?: string | undefined;
    error?: string | undefined;
}> {
}

export interface RunTool extends Readonly<{
    name: string;
    kind: string;
    toolkit: string | null;
    version: string | null;
    tags: readonly string[];
}> {
}

export interface SampleOptions {
    readonly file?: (() => unknown) | undefined;
    readonly seed: number;
}

export type Snapshot = Readonly<Record<string, unknown>>;

export interface ToolControls {
    calls(tool: string): readonly ToolRun[];
    stub(tool: string, result: ToolStub): void;
    unstub(tool: string): void;
}

export interface ToolDefinition extends ToolFacts {
    readonly isSample?: boolean;
    run(call: ToolRunContext): JsonObject | Promise<JsonObject>;
}

export interface ToolFile {
    readonly bytes: Uint8Array;
    readonly mimetype: string;
    readonly name: string;
}

export interface ToolFiles {
    read(s3key: string): ToolFile | undefined;
    store(file: ToolFile): {
        s3url: string;
        mimetype: string;
        name: string;
    };
}

export type ToolOverride = JsonObject | ToolDefinition["run"];

export interface ToolRun extends Readonly<{
    logId: string;
    at: string;
    tool: string;
    version: string | null;
    userId: string | null;
    accountId: string | null;
    sessionId: string | null;
    arguments: Record<string, unknown>;
    result: Record<string, unknown>;
    error: string | null;
    source: "tool" | "stub" | "sample";
}> {
}

export interface ToolRunContext {
    readonly accountId: string | undefined;
    readonly arguments: JsonObject;
    readonly data: JsonObject;
    readonly files: ToolFiles;
    readonly now: string;
    readonly userId: string | undefined;
    readonly version: string;
}

export type ToolStub = JsonObject | ProviderError | ((call: ToolRunContext) => JsonObject | Promise<JsonObject>);

export interface ToolVersionChanges extends Readonly<{
    description?: string | undefined;
    input?: Record<string, unknown> | undefined;
    output?: Record<string, unknown> | undefined;
    scopes?: readonly string[] | undefined | undefined;
    scopeRequirements?: ScopeRequirements | undefined | undefined;
    tags?: readonly string[] | undefined | undefined;
    isDeprecated?: boolean | undefined | undefined;
}> {
}

export interface ToolVersionFields extends Readonly<{
    description: string;
    input: Record<string, unknown>;
    output: Record<string, unknown>;
    scopes?: readonly string[] | undefined;
    scopeRequirements?: ScopeRequirements | undefined;
    tags?: readonly string[] | undefined;
    isDeprecated?: boolean | undefined;
}> {
}

export interface ToolkitDefinition extends ToolkitFacts {
    proxy?(call: ProxiedCall): {
        readonly status: number;
        readonly data: unknown;
    };
    readonly tools: readonly ToolDefinition[];
}

export interface TriggerControls {
    fire(triggerId: string, payload: JsonObject): EmittedEvent;
}

export interface TriggerDefinition extends Readonly<{
    slug: string;
    name: string;
    changes?: Record<string, TriggerVersionChanges> | undefined;
    instructions?: string | undefined;
    type: "webhook" | "poll";
    requiresWebhookEndpointSetup?: boolean | undefined;
    description: string;
    config: Record<string, unknown>;
    payload: Record<string, unknown>;
}> {
}

export interface TriggerVersionChanges extends Readonly<{
    description?: string | undefined;
    config?: Record<string, unknown> | undefined;
    payload?: Record<string, unknown> | undefined;
}> {
}

export interface TriggerVersionFields extends Readonly<{
    description: string;
    config: Record<string, unknown>;
    payload: Record<string, unknown>;
}> {
}

export interface VersionChanges extends Readonly<{
    changelog?: string | undefined;
    tools?: Record<string, ToolVersionChanges | null> | undefined;
    triggers?: Record<string, TriggerVersionChanges> | undefined;
}> {
}

export interface WebhookFieldDefinition extends Readonly<{
    displayName: string;
    description: string;
    isRequired: boolean;
    isSecret: boolean;
}> {
}

export declare function createEmulator(options?: EmulatorOptions): Emulator;

export declare const demoSeed: EmulatorSeed;

export declare function fromCatalog(catalog: unknown, options?: CatalogOptions): Required<Pick<EmulatorOptions, "toolkits" | "seed">>;

export declare function sampleObjectOf(schema: JsonObject, options: SampleOptions): JsonObject;

export declare function sampleOf(given: JsonObject, { seed, file }: SampleOptions): unknown;

export declare function toToolkits(value: unknown, source: string): ToolkitDefinition[];

// Not exported, but exports are made of it.

export interface ClockState {
    ms: number;
    now?: number | undefined;
}

declare const KINDS: readonly [
    "authConfigs",
    "connectedAccounts",
    "triggers",
    "webhookSubscriptions",
    "sessions",
    "files",
    "mountFiles"
];

export type Open<Known extends string> = Known | (string & {});

export type RecordChange = "created" | "changed" | "deleted";

export interface RunBudget extends Readonly<{
    budget: string;
    unit: string;
    limit: number;
    used: number;
    left: number;
    windowMs: number | null;
    per: "all" | "user" | "conversation";
    realTime: number;
}> {
}

export interface ToolFacts extends Readonly<{
    slug: string;
    name: string;
    since?: string | undefined;
    until?: string | undefined;
    changes?: Record<string, ToolVersionChanges> | undefined;
    description: string;
    input: Record<string, unknown>;
    output: Record<string, unknown>;
    scopes?: readonly string[] | undefined;
    scopeRequirements?: ScopeRequirements | undefined;
    tags?: readonly string[] | undefined;
    isDeprecated?: boolean | undefined;
}> {
}

export interface ToolkitFacts extends Readonly<{
    slug: string;
    name: string;
    description: string;
    categories: readonly {
        id: string;
        name: string;
    }[];
    auth: readonly AuthDefinition[];
    versions: Record<string, string>;
    triggers?: readonly TriggerDefinition[] | undefined;
    webhookFields?: Record<string, WebhookFieldDefinition> | undefined;
    data?: Record<string, unknown> | undefined;
    baseUrl?: string | undefined;
}> {
}

export type UnknownFields = "reject" | "ignore";
