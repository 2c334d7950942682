// What svc-sdk/webhooks exports. Written by npm run docs:api; what changes here changes for users.

export {
    ConfigError,
    SvcError,
    TriggerCatalogue,
} from "svc-sdk";

export type AnyPayloads = Record<Uppercase<string>, Readonly<Record<string, unknown>>>;

export type Claim = {
    readonly status: "claimed";
    readonly token: string;
} | {
    readonly status: "running";
} | {
    readonly status: "committed";
};

export interface ConnectedAccountActivated {
    data: {
        id?: string | undefined;
        toolkit?: {
            slug: string;
        } | undefined;
        auth_config?: {
            id: string;
            auth_scheme?: string | undefined;
        } | undefined;
        status?: Open<"ACTIVE"> | undefined;
        status_reason?: string | null | undefined;
        user_id?: string | null | undefined;
    };
    id: string;
    metadata: {
        project_id?: string | undefined;
        org_id?: string | undefined;
    };
    timestamp: string;
    type: "svc.connected_account.activated";
}

export interface ConnectedAccountExpired {
    data: {
        id: string;
        toolkit: {
            slug: string;
        };
        auth_config: {
            id: string;
            auth_scheme: string;
        };
        status: Open<"EXPIRED">;
        status_reason?: string | null | undefined;
        user_id?: string | null | undefined;
    };
    id: string;
    metadata: {
        project_id?: string | undefined;
        org_id?: string | undefined;
    };
    timestamp: string;
    type: "svc.connected_account.expired";
}

export type Conversion<Version extends PayloadVersion> = {
    readonly isComplete: true;
    readonly version: Version;
    readonly event: TriggerMessages[Version];
    readonly missing: readonly string[];
} | {
    readonly isComplete: false;
    readonly version: Version;
    readonly event: Sparse<TriggerMessages[Version]>;
    readonly missing: readonly string[];
};

export interface DedupeStore {
    claim(id: string, leaseMs: number): Promise<Claim>;
    commit(id: string, token: string): Promise<boolean>;
    release(id: string, token: string): Promise<void>;
}

export type Delivery = KnownDelivery | UnknownDelivery;

export type DeliveryOf<Type extends KnownEventType> = Extract<KnownDelivery, {
    readonly type: Type;
}>;

export type EventV3 = TriggerMessageV3 | ConnectedAccountExpired | ConnectedAccountActivated | TriggerDisabled;

export type Handler<Event> = (event: Event, context: HandlerContext) => unknown;

export interface HandlerContext {
    readonly delivery: Delivery;
    readonly signal: AbortSignal;
}

export type HandlerKey = KnownEventType | keyof TriggerCatalogue | (string & {});

export type Handlers<Payloads = AnyPayloads> = {
    readonly [Type in KnownEventType]?: Handler<DeliveryOf<Type>> | undefined;
} & {
    readonly [Slug in keyof Payloads as Slug & Uppercase<string>]?: Handler<TriggerEvent<Payloads[Slug]>> | undefined;
};

export type HandlersByKey<Key extends string> = {
    readonly [K in Key]?: (EventFor<K> extends never ? never : Handler<EventFor<K>>) | undefined;
};

export type HeadersInput = Headers | Readonly<Record<string, string | readonly string[] | null | undefined>>;

export type KnownDelivery = TriggerDelivery | Known<"svc.connected_account.expired", "V3", ConnectedAccountExpired> | Known<"svc.connected_account.activated", "V3", ConnectedAccountActivated> | Known<"svc.trigger.disabled", "V3", TriggerDisabled>;

export type KnownEventType = (typeof EVENT_TYPES)[number];

export interface MemoryStoreOptions {
    maxEntries?: number | undefined;
    now?: (() => number) | undefined;
    retentionMs?: number | undefined;
}

export type PayloadVersion = (typeof PAYLOAD_VERSIONS)[number];

export type Receiver = (request: Request) => Promise<Response>;

export interface ReceiverFailure {
    readonly delivery: Delivery | undefined;
    readonly status: number;
}

export interface ReceiverOptions<Payloads = AnyPayloads> extends VerifyOptions {
    handlerTimeoutMs?: number | undefined;
    on: Handlers<Payloads>;
    onError?: ((error: unknown, failure: ReceiverFailure) => unknown) | undefined;
    onUnknown: Handler<Delivery>;
    store?: DedupeStore | undefined;
}

export type SecretEncoding = "auto" | "text" | "base64";

export interface SignWebhookInput {
    body: string | Uint8Array;
    id: string;
    secret: WebhookSecret;
    secretEncoding?: "text" | "base64" | undefined;
    timestamp: number | Date;
}

export type Sparse<Event> = {
    [Key in keyof Event]?: Event[Key] extends Readonly<Record<string, unknown>> ? Partial<Event[Key]> : Event[Key];
};

export type TriggerDelivery = Known<"svc.trigger.message", "V3", TriggerMessageV3> | Known<"svc.trigger.message", "V2", TriggerMessageV2> | Known<"svc.trigger.message", "V1", TriggerMessageV1>;

export interface TriggerDisabled {
    data: {
        id: string;
        connected_account_id: string;
        trigger_name: string;
        user_id?: string | null | undefined;
        trigger_config?: Record<string, unknown> | undefined;
        disabled_at: string;
        disabled_reason: string;
    };
    id: string;
    metadata: {
        project_id?: string | undefined;
        org_id?: string | undefined;
    };
    timestamp: string;
    type: "svc.trigger.disabled";
}

export interface TriggerEvent<Payload = Readonly<Record<string, unknown>>> {
    readonly authConfigId: string | undefined;
    readonly connectedAccountId: string | undefined;
    readonly id: string;
    readonly legacyConnectionId: string | undefined;
    readonly legacyTriggerId: string | undefined;
    readonly logId: string | undefined;
    readonly payload: Payload;
    readonly timestamp: string | undefined;
    readonly triggerId: string | undefined;
    readonly triggerSlug: string | undefined;
    readonly userId: string | null | undefined;
    readonly version: PayloadVersion;
}

export interface TriggerMessageV1 {
    connection_id: string;
    log_id?: string | undefined;
    payload: Record<string, unknown>;
    trigger_id: string;
    trigger_name: string;
}

export interface TriggerMessageV2 {
    data: {
        trigger_nano_id: string;
        connection_nano_id: string;
        trigger_id?: string | undefined;
        connection_id?: string | undefined;
        user_id?: string | null | undefined;
    } & Record<string, unknown>;
    log_id?: string | undefined;
    timestamp: string;
    type: string;
}

export interface TriggerMessageV3 {
    data: Record<string, unknown>;
    id: string;
    metadata: {
        trigger_slug: string;
        trigger_id: string;
        connected_account_id: string;
        auth_config_id?: string | undefined;
        user_id?: string | null | undefined;
        log_id?: string | undefined;
    };
    timestamp: string;
    type: "svc.trigger.message";
}

export interface TriggerMessages {
    V1: TriggerMessageV1;
    V2: TriggerMessageV2;
    V3: TriggerMessageV3;
}

export type TriggerPayload<Slug extends string> = TriggerCatalogue extends Readonly<Record<Slug, {
    payload: infer Payload;
}>> ? Payload : Readonly<Record<string, unknown>>;

export interface UnknownDelivery extends DeliveryBase {
    readonly event: Readonly<Record<string, unknown>>;
    readonly kind: "unknown";
    readonly type: string | undefined;
    readonly version: PayloadVersion | undefined;
}

export interface VerifiedWebhook {
    readonly body: string | Uint8Array;
    readonly id: string;
    readonly secretIndex: number;
    readonly timestamp: number;
}

export interface VerifyOptions {
    maxBodyBytes?: number | undefined;
    now?: (() => number) | undefined;
    secret?: WebhookSecret | undefined;
    secretEncoding?: SecretEncoding | undefined;
    secrets?: readonly WebhookSecret[] | undefined;
    toleranceSeconds?: number | undefined;
}

export interface WebhookHeaders {
    "webhook-id": string;
    "webhook-signature": string;
    "webhook-timestamp": string;
}

export type WebhookInput = Request | {
    readonly body: string | Uint8Array | null | undefined;
    readonly headers: HeadersInput;
    readonly isBase64Encoded?: boolean | undefined;
};

export declare class WebhookPayloadError extends SvcError {
    protected static readonly brand: string;
    constructor(id: string, message: string, options?: ErrorOptions);
    readonly id: string;
}

export type WebhookRefusal = "missing_header" | "duplicate_header" | "bad_timestamp" | "too_old" | "too_new" | "no_match" | "body_too_large" | "body_already_parsed" | "ambiguous_id";

export type WebhookSecret = string | Uint8Array;

export declare class WebhookVerificationError extends SvcError {
    protected static readonly brand: string;
    constructor(reason: WebhookRefusal, message: string, options?: ErrorOptions);
    readonly reason: WebhookRefusal;
}

export declare function asVersion<Version extends PayloadVersion>(delivery: TriggerDelivery, version: Version): Conversion<Version>;

export declare function asVersion<Version extends PayloadVersion>(delivery: Delivery, version: Version): Conversion<Version> | undefined;

export declare function createReceiver<Key extends HandlerKey>(options: Omit<ReceiverOptions, "on"> & {
    on: HandlersByKey<Key>;
}): Receiver;

export declare function createReceiver<Payloads>(options: ReceiverOptions<NoInfer<Payloads>>): Receiver;

export declare function memoryStore(options?: MemoryStoreOptions): DedupeStore;

export declare function normalizeTrigger(delivery: TriggerDelivery): TriggerEvent;

export declare function normalizeTrigger(delivery: Delivery): TriggerEvent | undefined;

export declare function normalizeTrigger<Slug extends keyof TriggerCatalogue | (Uppercase<string> & {})>(delivery: Delivery, slug: Slug): TriggerEvent<TriggerPayload<Slug>> | undefined;

export declare function parseDelivery(verified: VerifiedWebhook): Delivery;

export declare function signWebhook(input: SignWebhookInput): WebhookHeaders;

export declare function verifySignature(input: WebhookInput, options?: VerifyOptions): Promise<VerifiedWebhook>;

export declare function verifyWebhook(input: WebhookInput, options?: VerifyOptions): Promise<Delivery>;

// Not exported, but exports are made of it.

interface DeliveryBase {
    readonly id: string;
    readonly secretIndex: number;
    readonly timestamp: number;
}

export declare const EVENT_TYPES: readonly [
    "svc.trigger.message",
    "svc.connected_account.expired",
    "svc.connected_account.activated",
    "svc.trigger.disabled"
];

type EventFor<Key extends string> = Key extends KnownEventType ? DeliveryOf<Key> : Key extends Uppercase<string> ? TriggerEvent<TriggerPayload<Key>> : never;

interface Known<Type extends KnownEventType, Version extends PayloadVersion, Event> extends DeliveryBase {
    readonly event: Event;
    readonly kind: "known";
    readonly type: Type;
    readonly version: Version;
}

export type Open<Known extends string> = Known | (string & {});

export declare const PAYLOAD_VERSIONS: readonly [
    "V3",
    "V2",
    "V1"
];
