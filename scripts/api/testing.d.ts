// What svc-sdk/testing exports. Written by npm run docs:api; what changes here changes for users.

export type AnswerRequest = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface EmulatorTime {
    readonly clock: {
        now(): number;
        advance(ms: number): void;
    };
}

export interface EventDelivery<Event extends object> extends SignedDeliveryOptions {
    readonly event: Event;
    readonly version?: PayloadVersion | undefined;
}

export type EventVersionOf<Type extends KnownEventType> = keyof SampleEvents[Type] & PayloadVersion;

export interface InstantClock extends Clock {
    readonly waits: readonly number[];
}

export type MakeStores<Store> = () => readonly [
    Store,
    Store
] | Promise<readonly [
    Store,
    Store
]>;

export interface ModelCall {
    readonly arguments: unknown;
    readonly id?: string | undefined;
    readonly name: string;
    readonly program?: string | undefined;
}

export interface ModelOutput {
    readonly id: string;
    readonly isError: boolean | undefined;
    readonly text: string;
}

export type ModelProvider = "openai" | "openai-chat" | "anthropic" | "google";

export interface ModelRequest {
    readonly body: Readonly<Record<string, unknown>>;
    readonly isStream: boolean;
    readonly outputs: readonly ModelOutput[];
    readonly path: string;
    readonly problem: string | undefined;
    readonly prompt: string;
    readonly provider: ModelProvider;
    readonly tools: readonly OfferedTool[];
}

export interface ModelServer {
    [Symbol.asyncDispose](): Promise<void>;
    close(): Promise<void>;
    readonly env: Readonly<Record<string, string>>;
    readonly url: string;
}

export interface ModelTurn {
    readonly calls?: readonly ModelCall[] | undefined;
    readonly cutAfter?: number | undefined;
    readonly failure?: "overloaded" | "rate_limited" | "server_error" | undefined;
    readonly isIncomplete?: boolean | undefined;
    readonly repeat?: number | undefined;
    readonly text?: string | undefined;
}

export interface OfferedTool {
    readonly description: string;
    readonly name: string;
    readonly parameters: Readonly<Record<string, unknown>>;
}

export interface SampleDelivery<Type extends KnownEventType, Version extends PayloadVersion> extends SignedDeliveryOptions {
    readonly overrides?: PartialEvent<SampleEvent<Type, Version>> | undefined;
    readonly type?: Type | undefined;
    readonly version?: Version | undefined;
}

export type SampleEvent<Type extends KnownEventType, Version extends PayloadVersion> = Version extends keyof SampleEvents[Type] ? SampleEvents[Type][Version] : never;

export interface SampleEvents {
    "svc.connected_account.activated": {
        readonly V3: ConnectedAccountActivated;
    };
    "svc.connected_account.expired": {
        readonly V3: ConnectedAccountExpired;
    };
    "svc.trigger.disabled": {
        readonly V3: TriggerDisabled;
    };
    "svc.trigger.message": TriggerMessages;
}

export interface ScriptedModel {
    readonly fetch: AnswerRequest;
    readonly requests: readonly ModelRequest[];
    serve(options?: ServeOptions): Promise<ModelServer>;
}

export interface ScriptedModelOptions {
    readonly provider?: ModelProvider | undefined;
    readonly turns: readonly ScriptedTurn[] | ((request: ModelRequest) => AnyTurn);
}

export type ScriptedTurn = string | ModelTurn | ((request: ModelRequest) => string | ModelTurn | Promise<string | ModelTurn>);

export interface ServeOptions {
    readonly host?: string | undefined;
    readonly port?: number | undefined;
}

export interface SignedDelivery<Event> {
    readonly body: string;
    readonly event: Event;
    readonly headers: Readonly<Record<string, string>>;
    readonly id: string;
    readonly request: Request;
}

export interface SignedDeliveryOptions {
    readonly attempt?: number | undefined;
    readonly id?: string | undefined;
    readonly secret: WebhookSecret;
    readonly secretEncoding?: "text" | "base64" | undefined;
    readonly timestamp?: number | Date | undefined;
    readonly url?: string | undefined;
}

export interface StoreCase {
    readonly name: string;
    run(): Promise<void>;
}

export interface TriggerSample<Slug extends string, Version extends PayloadVersion> extends SignedDeliveryOptions {
    readonly overrides?: PartialEvent<TriggerMessages[Version]> | undefined;
    readonly payload: Slug extends keyof TriggerCatalog ? TriggerPayload<Slug> & object : object;
    readonly trigger: Slug;
    readonly version?: Version | undefined;
}

export declare function approvalsContract(make: MakeStores<ApprovalStore>): StoreCase[];

export declare function budgetsContract(make: MakeStores<BudgetStore>): StoreCase[];

export declare function connectedAccountRecord(overrides?: Partial<ConnectedAccountDetail>): ConnectedAccountDetail;

export declare function dedupeContract(make: MakeStores<DedupeStore>): StoreCase[];

export declare function executionsContract(make: MakeStores<ExecutionStore>): StoreCase[];

export declare function instantClock({ clock }: EmulatorTime): InstantClock;

export declare function rateLimitContract(make: MakeStores<RateLimitStore>): StoreCase[];

export declare function sampleEvent<Type extends KnownEventType, Version extends EventVersionOf<Type>>(type: Type, version: Version, overrides?: PartialEvent<SampleEvent<Type, Version>>): SampleEvent<Type, Version>;

export declare function sampleModel(): ScriptedModel;

export declare function scriptedModel(given: ScriptedModelOptions): ScriptedModel;

export declare function signedDelivery<Event extends object>(options: EventDelivery<Event>): SignedDelivery<Event>;

export declare function signedDelivery<Slug extends keyof TriggerCatalog | (Uppercase<string> & {}), Version extends PayloadVersion = "V3">(options: TriggerSample<Slug, Version>): SignedDelivery<TriggerMessages[Version]>;

export declare function signedDelivery<Type extends KnownEventType = "svc.trigger.message", Version extends EventVersionOf<Type> = "V3" & EventVersionOf<Type>>(options: SampleDelivery<Type, Version>): SignedDelivery<SampleEvent<Type, Version>>;

export declare function toolRecord(overrides?: Partial<Tool>): Tool;

export declare function triggerInstanceRecord(overrides?: Partial<TriggerInstance>): TriggerInstance;

// Not exported, but exports are made of it.

export type AnyTurn = string | ModelTurn | Promise<string | ModelTurn>;
