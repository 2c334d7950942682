// What svc-sdk/emulator/node exports. Written by npm run docs:api; what changes here changes for users.

export {
    AccountControls,
    Activity,
    AuthConfigSeed,
    AuthDefinition,
    CatalogControls,
    ChangedKind,
    ClockOptions,
    ConnectedAccountSeed,
    Deliveries,
    DeliveryAttempt,
    DeliveryFaults,
    DeliveryOptions,
    DeliveryPost,
    DeliveryRecord,
    Duration,
    EmittedEvent,
    Emulator,
    EmulatorClock,
    EmulatorOptions,
    EmulatorSeed,
    EventType,
    FaultOptions,
    FaultRule,
    Faults,
    Happening,
    InjectedFault,
    JsonObject,
    KeySeed,
    Keys,
    ProjectOptions,
    ProviderError,
    ProxiedCall,
    RateLimitOptions,
    ReceiverResponse,
    RecordedMessage,
    RequestRecord,
    Resend,
    ResendOptions,
    Snapshot,
    ToolCall,
    ToolControls,
    ToolDefinition,
    ToolFacts,
    ToolFile,
    ToolFiles,
    ToolRun,
    ToolStub,
    ToolkitDefinition,
    TriggerControls,
    TriggerDefinition,
    TriggerFacts,
    VersionChanges,
    WebhookFieldDefinition,
    createEmulator,
    demoSeed,
} from "svc-sdk/emulator";

export interface RunningEmulator extends Omit<Emulator, "connection"> {
    close(): Promise<void>;
    readonly connection: Keys & {
        readonly baseUrl: string;
    };
    readonly url: string;
}

export interface StartOptions extends EmulatorOptions {
    readonly allowedHosts?: readonly string[] | undefined;
    readonly data?: string | undefined;
    readonly host?: string | undefined;
    readonly port?: number | undefined;
}

export declare function readDataFolder(folder: string): Snapshot;

export declare function startEmulator({ port, host, allowedHosts, data, ...options }?: StartOptions): Promise<RunningEmulator>;

export declare function writeDataFolder(folder: string, snapshot: Snapshot): void;
