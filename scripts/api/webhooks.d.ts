// What svc-sdk/webhooks exports. Written by npm run docs:api; what changes here changes for users.

export {
    ConfigError,
    SvcError,
    TriggerCatalog,
} from "svc-sdk";

export type AnyPayloads = Record<Uppercase<string>, Readonly<Record<string, unknown>>>;

export type ClaimResult = {
    readonly status: "claimed";
    readonly token: string;
} | {
    readonly status: "running";
} | {
    readonly status: "committed";
};

export interface ConnectedAccountActivated {
    data: {
        id?: string | null | undefined;
        toolkit?: {
            slug: string;
        } | null | undefined;
        auth_config?: {
            id: string;
            auth_scheme?: string | null | undefined;
        } | null | undefined;
        status?: Open<"ACTIVE"> | null | undefined;
        status_reason?: string | null | undefined;
        user_id?: string | null | undefined;
    };
    id: string;
    metadata: {
        project_id?: string | null | undefined;
        org_id?: string | null | undefined;
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
        project_id: string;
        org_id?: string | null | undefined;
    };
    timestamp: string;
    type: "svc.connected_account.expired";
}

export interface DedupeStore {
    claim(id: string, leaseMs: number): Promise<ClaimResult>;
    commit(id: string, token: string): Promise<boolean>;
    release(id: string, token: string): Promise<void>;
    renew(id: string, token: string, leaseMs: number): Promise<boolean>;
}

export type Delivery = KnownDelivery | UnknownDelivery;

export type DeliveryOf<Type extends KnownEventType> = Extract<KnownDelivery, {
    readonly type: Type;
}>;

export type EventV3 = TriggerMessageV3 | ConnectedAccountExpired | ConnectedAccountActivated | TriggerDisabled;

export type Handler<Event> = (event: Event, context: HandlerContext) => unknown;

export interface HandlerContext {
    readonly claim: string;
    readonly delivery: Delivery;
    readonly signal: AbortSignal;
}

export type HandlerKey = KnownEventType | keyof TriggerCatalog | (string & {});

export type Handlers<Payloads = AnyPayloads> = {
    readonly [Type in KnownEventType]?: Handler<DeliveryOf<Type>> | undefined;
} & {
    readonly [Slug in keyof Payloads as Slug & Uppercase<string>]?: Handler<TriggerEvent<Payloads[Slug]>> | undefined;
};

export type HandlersByKey<Key extends string> = {
    readonly [K in Key]?: (EventFor<K> extends never ? UnknownKey<K> : Handler<EventFor<K>>) | undefined;
};

export type HeadersInput = Headers | Readonly<Record<string, string | readonly string[] | null | undefined>>;

export type KnownDelivery = TriggerDelivery | Known<"svc.connected_account.expired", "V3", ConnectedAccountExpired> | Known<"svc.connected_account.activated", "V3", ConnectedAccountActivated> | Known<"svc.trigger.disabled", "V3", TriggerDisabled>;

export type KnownEventType = (typeof EVENT_TYPES)[number];

export interface MemoryDeliveriesOptions extends RetentionOptions {
    maxEntries?: number | undefined;
    now?: (() => number) | undefined;
}

export type PartialEvent<Event> = {
    [Key in keyof Event]?: Event[Key] extends Readonly<Record<string, unknown>> ? Partial<Event[Key]> : Event[Key];
};

export type PayloadVersion = (typeof PAYLOAD_VERSIONS)[number];

export type Receiver = (request: Request) => Promise<Response>;

export interface ReceiverErrorContext {
    readonly delivery: Delivery | undefined;
    readonly status: number;
}

export interface ReceiverOptions<Payloads = AnyPayloads> extends VerifyOptions {
    handlerTimeoutMs?: number | undefined;
    on: Handlers<Payloads>;
    onError?: ((error: unknown, context: ReceiverErrorContext) => unknown) | undefined;
    onUnhandled: Handler<Delivery>;
    store?: DedupeStore | undefined;
    triggerSlugs?: readonly string[] | (() => Promise<readonly string[]>) | undefined;
}

export interface RetentionOptions {
    retentionMs?: number | undefined;
}

export type SecretEncoding = "auto" | "text" | "base64";

export interface SignWebhookInput {
    body: string | Uint8Array;
    id: string;
    secret: WebhookSecret;
    secretEncoding?: "text" | "base64" | undefined;
    timestamp: number | Date;
}

export type TriggerDelivery = Known<"svc.trigger.message", "V3", TriggerMessageV3> | Known<"svc.trigger.message", "V2", TriggerMessageV2> | Known<"svc.trigger.message", "V1", TriggerMessageV1>;

export interface TriggerDisabled {
    data: {
        id: string;
        connected_account_id: string;
        trigger_name: string;
        user_id?: string | null | undefined;
        trigger_config?: Record<string, unknown> | null | undefined;
        disabled_at: string;
        disabled_reason: string;
    };
    id: string;
    metadata: {
        project_id?: string | null | undefined;
        org_id?: string | null | undefined;
    };
    timestamp: string;
    type: "svc.trigger.disabled";
}

export interface TriggerEvent<Payload = Readonly<Record<string, unknown>>> {
    readonly authConfigId: string | null | undefined;
    readonly connectedAccountId: string | undefined;
    readonly id: string;
    readonly legacyConnectionId: string | null | undefined;
    readonly legacyTriggerId: string | null | undefined;
    readonly logId: string | null | undefined;
    readonly payload: Payload;
    readonly timestamp: string | undefined;
    readonly triggerId: string | undefined;
    readonly triggerSlug: string | undefined;
    readonly userId: string | null | undefined;
    readonly version: PayloadVersion;
}

export interface TriggerMessageV1 {
    connection_id?: string | null | undefined;
    log_id?: string | null | undefined;
    payload: Record<string, unknown>;
    trigger_id?: string | null | undefined;
    trigger_name: string;
}

export interface TriggerMessageV2 {
    data: {
        trigger_nano_id: string;
        connection_nano_id: string;
        trigger_id?: string | null | undefined;
        connection_id?: string | null | undefined;
        user_id?: string | null | undefined;
    } & Record<string, unknown>;
    log_id?: string | null | undefined;
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
        auth_config_id?: string | null | undefined;
        user_id?: string | null | undefined;
        log_id?: string | null | undefined;
    };
    timestamp: string;
    type: "svc.trigger.message";
}

export interface TriggerMessages {
    V1: TriggerMessageV1;
    V2: TriggerMessageV2;
    V3: TriggerMessageV3;
}

export type TriggerPayload<Slug extends string> = TriggerCatalog extends Readonly<Record<Slug, {
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
    bodyTimeoutMs?: number | undefined;
    maxBodyBytes?: number | undefined;
    now?: (() => number) | undefined;
    secret?: WebhookSecret | undefined;
    secretEncoding?: SecretEncoding | undefined;
    secrets?: WebhookSecrets | undefined;
    toleranceSeconds?: number | undefined;
}

export interface WebhookHeaders {
    "webhook-id": string;
    "webhook-signature": string;
    "webhook-timestamp": string;
}

export type WebhookInput = Request | {
    readonly body?: string | Uint8Array | null | undefined;
    readonly headers: HeadersInput;
    readonly isBase64Encoded?: boolean | undefined;
};

export declare class WebhookPayloadError extends SvcError {
    constructor(id: string, message: string, options?: ErrorOptions);
    readonly id: string;
}

export type WebhookRejectionReason = "method_not_allowed" | "unsupported_media_type" | "missing_header" | "duplicate_header" | "bad_timestamp" | "too_old" | "too_new" | "no_match" | "body_too_large" | "body_too_slow" | "body_already_parsed" | "ambiguous_id";

export type WebhookSecret = string | Uint8Array;

export type WebhookSecrets = readonly WebhookSecret[] | (() => readonly WebhookSecret[] | Promise<readonly WebhookSecret[]>);

export declare class WebhookVerificationError extends SvcError {
    constructor(reason: WebhookRejectionReason, message: string, options?: ErrorOptions);
    readonly reason: WebhookRejectionReason;
}

export declare function createReceiver<Key extends HandlerKey>(options: Omit<ReceiverOptions, "on"> & {
    on: HandlersByKey<Key>;
}): Receiver;

export declare function createReceiver<Payloads>(options: ReceiverOptions<NoInfer<Payloads>>): Receiver;

export declare function createReceiver<Key extends HandlerKey>(options: Omit<ReceiverOptions, "on"> & {
    on: HandlersByKey<Key>;
}): Receiver;

export declare function memoryDeliveries(options?: MemoryDeliveriesOptions): DedupeStore;

export declare function normalizeTrigger(delivery: TriggerDelivery): TriggerEvent;

export declare function normalizeTrigger(delivery: Delivery): TriggerEvent | undefined;

export declare function normalizeTrigger<Slug extends keyof TriggerCatalog | (Uppercase<string> & {})>(delivery: Delivery, slug: Slug): TriggerEvent<TriggerPayload<Slug>> | undefined;

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

type EventFor<Key extends string> = Key extends KnownEventType ? DeliveryOf<Key> : Key extends keyof TriggerCatalog ? TriggerEvent<TriggerPayload<Key>> : CatalogSettings extends {
    strict: true;
} ? never : Key extends Uppercase<string> ? TriggerEvent<TriggerPayload<Key>> : never;

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

type UnknownKey<Key extends string> = CatalogSettings extends {
    strict: true;
} ? `${Key} is neither an event type nor a trigger slug in the generated types` : `${Key} is neither an event type nor a trigger slug in upper case`;
