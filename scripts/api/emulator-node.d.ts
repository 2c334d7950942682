// What svc-sdk/emulator/node exports. Written by npm run docs:api; what changes here changes for users.

export {
    AccountControls,
    Activity,
    ActivityOf,
    AuthConfigSeed,
    AuthDefinition,
    CatalogControls,
    CatalogOptions,
    ClockOptions,
    ConnectedAccountSeed,
    Deliveries,
    DeliveryAttempt,
    DeliveryFaults,
    DeliveryOptions,
    DeliveryRecord,
    DeliveryRequest,
    Duration,
    EmittedEvent,
    Emulator,
    EmulatorClock,
    EmulatorKeys,
    EmulatorOptions,
    EmulatorSeed,
    EventType,
    ExecutionLog,
    ExecutionLogFaults,
    FaultOperation,
    FaultOptions,
    FaultRule,
    Faults,
    InjectedFault,
    JsonObject,
    KeySeed,
    ProjectOptions,
    ProviderError,
    ProxiedCall,
    RateLimitOptions,
    ReceiverResponse,
    RecordKind,
    RecordedMessage,
    RequestRecord,
    ResendInfo,
    ResendOptions,
    RunCall,
    RunDecision,
    RunFacts,
    RunQuestion,
    RunStatus,
    RunStep,
    RunTool,
    SampleOptions,
    Snapshot,
    ToolControls,
    ToolDefinition,
    ToolFile,
    ToolFiles,
    ToolOverride,
    ToolRun,
    ToolRunContext,
    ToolStub,
    ToolVersionChanges,
    ToolVersionFields,
    ToolkitDefinition,
    TriggerControls,
    TriggerDefinition,
    TriggerVersionChanges,
    TriggerVersionFields,
    VersionChanges,
    WebhookFieldDefinition,
    createEmulator,
    demoSeed,
    fromCatalog,
    sampleObjectOf,
    sampleOf,
    toToolkits,
} from "svc-sdk/emulator";

export interface RunningEmulator extends Omit<Emulator, "connection"> {
    [Symbol.asyncDispose](): Promise<void>;
    close(): Promise<void>;
    readonly connection: EmulatorKeys & {
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

export declare function startEmulator(given?: StartOptions): Promise<RunningEmulator>;

export declare function writeDataFolder(folder: string, snapshot: Snapshot): void;
