// What svc-sdk/emulator/node exports. Written by npm run docs:api; what changes here changes for users.

export {
    AccountControls,
    AuthConfigSeed,
    AuthDefinition,
    CatalogControls,
    ClockOptions,
    ConnectedAccountSeed,
    Deliveries,
    DeliveryAttempt,
    DeliveryFaults,
    DeliveryOptions,
    DeliveryRecord,
    Duration,
    EmittedEvent,
    Emulator,
    EmulatorClock,
    EmulatorOptions,
    EmulatorSeed,
    EventType,
    FaultOptions,
    Faults,
    InjectedFault,
    JsonObject,
    KeySeed,
    Keys,
    ProjectOptions,
    ProviderError,
    ProxiedCall,
    RateLimitOptions,
    RequestRecord,
    Snapshot,
    ToolCall,
    ToolDefinition,
    ToolFacts,
    ToolFile,
    ToolFiles,
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
    readonly host?: string | undefined;
    readonly port?: number | undefined;
}

export declare function startEmulator({ port, host, allowedHosts, ...options }?: StartOptions): Promise<RunningEmulator>;
