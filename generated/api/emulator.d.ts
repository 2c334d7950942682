// What svc-sdk/emulator exports. Written by npm run docs:api; what changes here changes for users.

export interface AccountControls {
    activate(accountId: string): void;
    expire(accountId: string, reason?: string): void;
    revoke(accountId: string): void;
}

export type Activity = Happening & {
    readonly id: number;
    readonly at: string;
};

export interface AuthConfigSeed {
    readonly credentials?: JsonObject;
    readonly id: string;
    readonly name?: string;
    readonly scheme?: string;
    readonly status?: "ENABLED" | "DISABLED";
    readonly toolkit: string;
    readonly type?: "default" | "custom";
}

export interface AuthDefinition {
    readonly accountFields?: readonly AuthField[];
    readonly configFields?: readonly AuthField[];
    readonly isManaged?: boolean;
    readonly isRevocable?: boolean;
    readonly scheme: string;
    readonly scopes?: readonly string[];
}

export interface CatalogControls {
    publish(toolkit: string, version: string, changes?: VersionChanges): void;
}

export type ChangedKind = "authConfigs" | "connectedAccounts" | "triggers" | "webhookSubscriptions" | "sessions" | "files" | "mountFiles";

export interface ClockOptions {
    readonly running?: boolean | undefined;
    readonly start?: string | undefined;
}

export interface ConnectedAccountSeed {
    readonly authConfigId: string;
    readonly id: string;
    readonly status?: "ACTIVE" | "EXPIRED" | "INACTIVE" | "FAILED" | "INITIATED" | "INITIALIZING" | "REVOKED";
    readonly userId: string;
}

export declare class Deliveries {
    clearFaults(): void;
    constructor(world: World);
    get faults(): Required<DeliveryFaults>;
    injectFaults({ copies, reorder, delayMs, skewSeconds, wrongSecret, }: DeliveryFaults): void;
    get items(): readonly DeliveryRecord[];
    resend(deliveryId: string, { body, copies, sign, skewSeconds, wrongSecret }?: ResendOptions): readonly DeliveryRecord[];
}

export interface DeliveryAttempt {
    readonly endedAt: string;
    readonly error: string | null;
    readonly number: number;
    readonly request: DeliveryPost | null;
    readonly response: ReceiverResponse | null;
    readonly startedAt: string;
    readonly status: number | null;
}

export interface DeliveryFaults {
    readonly copies?: number | undefined;
    readonly delayMs?: number | undefined;
    readonly reorder?: boolean | undefined;
    readonly skewSeconds?: number | undefined;
    readonly wrongSecret?: boolean | undefined;
}

export interface DeliveryOptions {
    readonly attempts?: number | undefined;
    readonly delaysMs?: readonly number[] | undefined;
    readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
    readonly timeoutMs?: number | undefined;
}

export interface DeliveryPost {
    readonly headers: Readonly<Record<string, string>>;
    readonly url: string;
}

export interface DeliveryRecord {
    readonly attempts: readonly DeliveryAttempt[];
    readonly body: string;
    readonly dueAt: number | null;
    readonly eventId: string;
    readonly id: string;
    readonly resend?: Resend;
    readonly state: "pending" | "delivered" | "failed";
    readonly subscriptionId: string;
    readonly type: EventType;
    readonly version: PayloadVersion;
}

export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d"}`;

export interface EmittedEvent {
    readonly data: JsonObject;
    readonly id: string;
    readonly legacy?: {
        readonly triggerUuid: string;
        readonly connectionUuid: string;
    };
    readonly metadata: JsonObject;
    readonly timestamp: string;
    readonly type: EventType;
}

export interface Emulator {
    readonly accounts: AccountControls;
    readonly catalog: CatalogControls;
    readonly clock: EmulatorClock;
    readonly connection: Keys & {
        readonly baseUrl: string;
        readonly fetch: (request: Request) => Promise<Response>;
    };
    readonly deliveries: Deliveries;
    readonly events: readonly EmittedEvent[];
    readonly faults: Faults;
    fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
    readonly requests: readonly RequestRecord[];
    reset(): void;
    restore(snapshot: Snapshot): void;
    settled(): Promise<void>;
    snapshot(): Snapshot;
    subscribe(listener: (activity: Activity) => void): () => void;
    readonly tools: ToolControls;
    readonly triggers: TriggerControls;
}

export declare class EmulatorClock {
    advance(duration: Duration): void;
    advanceTo(time: string): void;
    constructor({ start, running }: ClockOptions, offset: {
        ms: number;
    });
    get isRunning(): boolean;
    iso(): string;
    now(): number;
    pause(): void;
    resume(): void;
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface EmulatorOptions {
    readonly clock?: ClockOptions | undefined;
    readonly deliveries?: DeliveryOptions | undefined;
    readonly onRequest?: ((record: RequestRecord) => void) | undefined;
    readonly project?: ProjectOptions | undefined;
    readonly rateLimit?: RateLimitOptions | undefined;
    readonly seed?: EmulatorSeed | undefined;
    readonly toolkits?: readonly ToolkitDefinition[] | undefined;
    readonly unknownFields?: UnknownFields | undefined;
}

export interface EmulatorSeed {
    readonly authConfigs?: readonly AuthConfigSeed[];
    readonly connectedAccounts?: readonly ConnectedAccountSeed[];
    readonly integrations?: readonly string[];
    readonly keys?: readonly KeySeed[];
}

export type EventType = Open<"svc.trigger.message" | "svc.connected_account.expired" | "svc.connected_account.activated" | "svc.trigger.disabled">;

export interface FaultOptions {
    readonly times?: number | undefined;
}

export interface FaultRule {
    readonly every: number;
    readonly fault: InjectedFault;
    readonly id: number;
    left: number | null;
    readonly operation: string;
    seen: number;
}

export declare class Faults {
    clear(): void;
    constructor(state: {
        rules: FaultRule[];
    }, operations: Iterable<string>, feed: ActivityFeed);
    every(nth: number, operation: string, fault: InjectedFault, { times }?: FaultOptions): void;
    get items(): readonly Readonly<FaultRule>[];
    next(operation: string, fault: InjectedFault, { times }?: FaultOptions): void;
    remove(id: number): void;
}

export type Happening = {
    readonly type: "request";
    readonly request: RequestRecord;
} | {
    readonly type: "event";
    readonly event: EmittedEvent;
} | {
    readonly type: "delivery";
    readonly delivery: DeliveryRecord;
    readonly attempt: DeliveryAttempt | null;
} | {
    readonly type: "change";
    readonly kind: ChangedKind;
    readonly recordId: string;
    readonly action: "created" | "changed" | "deleted";
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

export interface InjectedFault {
    readonly body?: unknown;
    readonly connection?: "hang" | "reset" | "truncate" | undefined;
    readonly delayMs?: number | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly retryAfterSeconds?: number | undefined;
    readonly status?: number | undefined;
    readonly when?: "before" | "after" | undefined;
}

export type JsonObject = Record<string, unknown>;

export interface KeySeed {
    readonly denied?: readonly string[];
    readonly kind: CredentialKind;
    readonly state?: "active" | "revoked" | "expired";
    readonly value: string;
}

export interface Keys {
    readonly apiKey: string | undefined;
    readonly orgApiKey: string | undefined;
    readonly userApiKey: string | undefined;
}

export interface ProjectOptions {
    readonly callbackVerifierUrl?: string | undefined;
    readonly subscriptionsPerProject?: number | undefined;
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

export interface RateLimitOptions {
    readonly limit?: number | undefined;
    readonly windowSeconds?: number | undefined;
}

export interface ReceiverResponse {
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
}

export interface RecordedMessage {
    readonly body: string;
    readonly bytes: number;
    readonly headers: Readonly<Record<string, string>>;
}

export interface RequestRecord extends RecordedMessage {
    readonly at: string;
    readonly attempt: number;
    readonly durationMs: number;
    readonly fault?: string | undefined;
    readonly method: string;
    readonly operation: string | undefined;
    readonly path: string;
    readonly response: RecordedMessage | undefined;
    readonly status: number | undefined;
}

export interface Resend {
    readonly exactly: DeliveryPost | null;
    readonly of: string;
    readonly skewSeconds: number;
    readonly wrongSecret: boolean;
}

export interface ResendOptions {
    readonly body?: string | undefined;
    readonly copies?: number | undefined;
    readonly sign?: boolean | undefined;
    readonly skewSeconds?: number | undefined;
    readonly wrongSecret?: boolean | undefined;
}

export type Snapshot = Readonly<Record<string, unknown>>;

export type StubAnswer = JsonObject | ProviderError | ((call: ToolCall) => JsonObject | Promise<JsonObject>);

export interface ToolCall {
    readonly accountId: string | undefined;
    readonly arguments: JsonObject;
    readonly data: JsonObject;
    readonly files: ToolFiles;
    readonly now: string;
    readonly userId: string | undefined;
    readonly version: string;
}

export interface ToolControls {
    calls(tool: string): readonly ToolRun[];
    stub(tool: string, answer: StubAnswer): void;
    unstub(tool: string): void;
}

export interface ToolDefinition extends ToolFacts {
    readonly changes?: Readonly<Record<string, Partial<ToolFacts>>>;
    readonly isSample?: boolean;
    readonly name: string;
    run(call: ToolCall): JsonObject | Promise<JsonObject>;
    readonly since?: string;
    readonly slug: string;
    readonly until?: string;
}

export interface ToolFacts {
    readonly description: string;
    readonly input: JsonObject;
    readonly isDeprecated?: boolean;
    readonly output: JsonObject;
    readonly scopeRequirements?: ScopeRequirements;
    readonly scopes?: readonly string[];
    readonly tags?: readonly string[];
}

export interface ToolFile {
    readonly bytes: Uint8Array;
    readonly mimetype: string;
    readonly name: string;
}

export interface ToolFiles {
    give(file: ToolFile): {
        s3url: string;
        mimetype: string;
        name: string;
    };
    read(s3key: string): ToolFile | undefined;
}

export interface ToolRun {
    readonly accountId: string | null;
    readonly arguments: JsonObject;
    readonly at: string;
    readonly error: string | null;
    readonly logId: string;
    readonly result: JsonObject;
    readonly sessionId: string | null;
    readonly source: "tool" | "stub" | "sample";
    readonly tool: string;
    readonly userId: string | null;
    readonly version: string | null;
}

export interface ToolkitDefinition {
    readonly auth: readonly AuthDefinition[];
    readonly baseUrl?: string;
    readonly categories: readonly {
        readonly id: string;
        readonly name: string;
    }[];
    readonly data?: JsonObject;
    readonly description: string;
    readonly name: string;
    proxy?(call: ProxiedCall): {
        readonly status: number;
        readonly data: unknown;
    };
    readonly slug: string;
    readonly tools: readonly ToolDefinition[];
    readonly triggers?: readonly TriggerDefinition[];
    readonly versions: Readonly<Record<string, string>>;
    readonly webhookFields?: Readonly<Record<string, WebhookFieldDefinition>>;
}

export interface TriggerControls {
    fire(triggerId: string, payload: JsonObject): EmittedEvent;
}

export interface TriggerDefinition extends TriggerFacts {
    readonly changes?: Readonly<Record<string, Partial<TriggerFacts>>>;
    readonly instructions?: string;
    readonly name: string;
    readonly requiresWebhookEndpointSetup?: boolean;
    readonly slug: string;
    readonly type: "webhook" | "poll";
}

export interface TriggerFacts {
    readonly config: JsonObject;
    readonly description: string;
    readonly payload: JsonObject;
}

export interface VersionChanges {
    readonly changelog?: string;
    readonly tools?: Readonly<Record<string, Partial<ToolFacts> | null>>;
    readonly triggers?: Readonly<Record<string, Partial<TriggerFacts>>>;
}

export interface WebhookFieldDefinition {
    readonly description: string;
    readonly displayName: string;
    readonly isRequired: boolean;
    readonly isSecret: boolean;
}

export declare function createEmulator(options?: EmulatorOptions): Emulator;

export declare const demoSeed: EmulatorSeed;

// Not exported, but exports are made of it.

export type AccountStatus = NonNullable<ConnectedAccountSeed["status"]>;

export interface ActiveDeliveryFaults {
    copies: number;
    delayMs: number;
    reorder: boolean;
    skewSeconds: number;
    wrongSecret: boolean;
}

export declare class ActivityFeed {
    constructor(now: () => string);
    get isWatched(): boolean;
    publish(happening: Happening): void;
    subscribe(listener: (activity: Activity) => void): () => void;
}

export declare class Catalog {
    constructor(registered: readonly ToolkitDefinition[], published: {
        readonly items: readonly Publication[];
    });
    tool(slug: string, version: string): VersionedTool | undefined;
    get toolSlugs(): string[];
    get toolkits(): ReadonlyMap<string, ToolkitDefinition>;
    toolsOf(toolkit: ToolkitDefinition, version: string): VersionedTool[];
    versionsWith(slug: string): string[] | undefined;
}

export declare class ChangeFinder {
    constructor(state: State, feed: ActivityFeed);
    report(): void;
    start(): void;
}

export interface ConnectionFlow {
    callbackUrl: string | null;
    endsAt: number;
    isOver: boolean;
    sessionUri: string | null;
    token: string;
    url: string;
}

export type EndedSession = Pick<StoredSession, "id" | "projectId" | "userId" | "createdAt">;

interface IdSequence {
    seed: number;
}

export declare class Ids {
    constructor(sequence: IdSequence);
    next(prefix: string): string;
    uuid(): string;
}

export type Open<Known extends string> = Known | (string & {});

interface ProjectSettings {
    readonly callbackVerifierUrl: string | undefined;
    readonly subscriptionsPerProject: number;
}

export interface Publication extends VersionChanges {
    readonly toolkit: string;
    readonly version: string;
}

export interface SignedUrl {
    expiresAt: number;
    method: "GET" | "PUT";
    mimetype?: string;
    place: {
        kind: "file";
        key: string;
    } | {
        kind: "mount";
        sessionId: string;
        mountId: string;
        path: string;
    };
}

export interface State {
    readonly authConfigs: Map<string, StoredAuthConfig>;
    readonly clock: {
        ms: number;
    };
    readonly connectedAccounts: Map<string, StoredAccount>;
    readonly deletedTriggers: {
        ids: string[];
    };
    readonly deliveries: {
        items: StoredDelivery[];
        faults: ActiveDeliveryFaults;
    };
    readonly endedSessions: {
        items: EndedSession[];
    };
    readonly events: {
        emitted: EmittedEvent[];
    };
    readonly executions: Map<string, StoredExecution>;
    readonly faults: {
        rules: FaultRule[];
    };
    readonly files: Map<string, StoredFile>;
    readonly ids: IdSequence;
    readonly integrations: Map<string, StoredIntegration>;
    readonly keys: Map<string, KeySeed>;
    readonly mcpInstances: Map<string, StoredMcpInstance>;
    readonly mcpServers: Map<string, StoredMcpServer>;
    readonly mountFiles: Map<string, StoredMountFile>;
    readonly projectKeys: Map<string, StoredProjectKey>;
    readonly projects: Map<string, StoredProject>;
    readonly published: {
        items: readonly Publication[];
    };
    readonly rateLimit: {
        startedAt: number;
        used: number;
    };
    readonly sessions: Map<string, StoredSession>;
    readonly signedUrls: Map<string, SignedUrl>;
    readonly stubs: Map<string, StoredStub>;
    readonly toolkitData: Map<string, JsonObject>;
    readonly triggers: Map<string, StoredTrigger>;
    readonly webhookEndpoints: Map<string, StoredWebhookEndpoint>;
    readonly webhookSubscriptions: Map<string, StoredWebhookSubscription>;
}

export interface StoredAccount {
    acl: SharedConnectionAcl;
    alias: string | null;
    authConfigId: string;
    createdAt: string;
    flow: ConnectionFlow | null;
    id: string;
    outcome: JsonObject;
    params: JsonObject;
    pastTokens: string[];
    scheme: string;
    sharing: "PRIVATE" | "SHARED";
    status: AccountStatus;
    statusReason: string | null;
    tokenExpiresAt: number | null;
    toolkit: string;
    updatedAt: string;
    userId: string;
    uuid: string;
    values: JsonObject;
}

export interface StoredAuthConfig extends Omit<AuthConfig, "credentials" | "shared_credentials" | "no_of_connections"> {
    auth_scheme: string;
    credentials: JsonObject;
    isDeleted: boolean;
    is_svc_managed: boolean;
    shared_credentials: JsonObject | undefined;
}

interface StoredConfigVersion {
    config: ToolRouterConfig;
    created_at: string;
    version: number;
}

export interface StoredDelivery extends DeliveryRecord {
    attempts: DeliveryAttempt[];
    dueAt: number | null;
    state: DeliveryRecord["state"];
}

export interface StoredExecution {
    accountId: string | null;
    arguments: JsonObject;
    authConfigId: string | null;
    endedAt: number;
    error: string | null;
    id: string;
    parent: {
        log_id: string;
        tool_slug: string;
    } | null;
    projectId: string;
    requestId: string;
    result: JsonObject;
    sessionId: string | null;
    source: "tool" | "stub" | "sample";
    startedAt: number;
    tool: string;
    toolkit: string;
    userId: string | null;
    version: string | null;
}

export interface StoredFile {
    base64?: string;
    filename: string;
    key: string;
    md5?: string;
    mimetype: string;
    projectId: string;
    storedAt?: number;
    tool: string;
    toolkit: string;
}

export interface StoredIntegration {
    authConfig: JsonObject;
    enabled: boolean;
    id: string;
}

export interface StoredMcpInstance {
    createdAt: string;
    id: string;
    serverId: string;
    userId: string;
}

export interface StoredMcpServer {
    allowedTools: string[];
    authConfigIds: string[];
    createdAt: string;
    id: string;
    isManaged: boolean;
    name: string;
    projectId: string;
    toolkits: string[];
    updatedAt: string;
}

export interface StoredMountFile {
    base64: string;
    lastModified: string;
    mimetype: string;
    mountId: string;
    path: string;
    sessionId: string;
    size: number;
}

export interface StoredProject {
    config: ProjectConfig;
    createdAt: string;
    id: string;
    isDeleted: boolean;
    name: string;
    updatedAt: string;
}

export interface StoredProjectKey {
    createdAt: string;
    id: string;
    name: string;
    projectId: string;
}

export interface StoredSession {
    createdAt: string;
    id: string;
    projectId: string;
    userId: string;
    versions: StoredConfigVersion[];
}

export type StoredStub = {
    readonly data: JsonObject;
} | {
    readonly error: {
        readonly status: number;
        readonly message: string;
    };
};

export interface StoredTrigger {
    accountId: string;
    config: JsonObject;
    createdAt: string;
    disabledAt: string | null;
    disabledReason: string | null;
    id: string;
    name: string;
    toolkit: string;
    updatedAt: string;
    userId: string;
    uuid: string;
    version: string;
}

export interface StoredWebhookEndpoint {
    clientId: string;
    createdAt: string;
    data: Record<string, string>;
    id: string;
    projectId: string;
    toolkit: string;
    url: string;
}

export interface StoredWebhookSubscription extends WebhookSubscription {
    projectId: string;
}

export type UnknownFields = "reject" | "ignore";

export interface VersionedTool {
    readonly facts: ToolFacts;
    readonly tool: ToolDefinition;
    readonly toolkit: ToolkitDefinition;
    readonly version: string;
}

export interface World {
    readonly catalog: Catalog;
    readonly changes: ChangeFinder;
    readonly clock: EmulatorClock;
    readonly deliver: () => void;
    readonly feed: ActivityFeed;
    readonly ids: Ids;
    readonly settings: ProjectSettings & {
        readonly unknownFields: UnknownFields;
    };
    readonly state: State;
    readonly stubs: Map<string, ToolDefinition["run"]>;
}
